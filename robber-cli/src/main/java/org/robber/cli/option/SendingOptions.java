package org.robber.cli.option;

import java.util.List;
import org.robber.SendLimits;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options on how nodes send pieces. */
public final class SendingOptions {
    /** Their names. */
    public static final List<String> NAMES = List.of("--bwlimit", "--wan-bwlimit", "--nice");

    @Mixin
    private SendLimitOptions limits = new SendLimitOptions();

    @Option(
            names = "--nice",
            fallbackValue = "true",
            arity = "0",
            description = "Leave lines to other traffic: use only what that leaves free. Linux only.")
    private boolean yields;

    public SendLimits limits() {
        SendLimits most = limits.limits();
        return new SendLimits(most.bytesPerSecond(), most.wanBytesPerSecond(), yields);
    }
}
