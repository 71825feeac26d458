package org.robber.cli.option;

import org.jspecify.annotations.Nullable;
import org.robber.SendLimits;
import picocli.CommandLine.Option;

/** Options that limit how fast a node sends pieces. */
public final class SendLimitOptions {

    @Option(
            names = "--bwlimit",
            paramLabel = "RATE",
            converter = RateText.class,
            description = "Most that each node sends: 500Mbit (bits) or 60M (bytes) per second. Default: no limit.")
    private @Nullable Long bytesPerSecond;

    @Option(
            names = "--wan-bwlimit",
            paramLabel = "RATE",
            converter = RateText.class,
            description = "Most that each node sends to other clusters. Default: no limit.")
    private @Nullable Long wanBytesPerSecond;

    public SendLimits limits() {
        return new SendLimits(
                bytesPerSecond == null ? 0 : bytesPerSecond, wanBytesPerSecond == null ? 0 : wanBytesPerSecond);
    }
}
