package org.robber.emulation.testbed.replicate;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.time.Duration;

/**
 * A replication to run in a testbed.
 *
 * @param launcher the command that starts {@code robber-cli}, without its arguments
 * @param strategy name of the strategy
 * @param options further options of {@code robber-cli replicate}
 * @param seed from which the data are drawn
 * @param dataBytes size of the data
 * @param pieceBytes size of a piece; 0: as robber-cli finds best
 * @param encrypts whether nodes share a secret, which encrypts their connections
 * @param jobsBeside how many more jobs run on the same nodes, from the same source
 * @param limit how long the programs may run, their start included
 */
public record ReplicateJob(
        ImmutableList<String> launcher,
        String strategy,
        ImmutableList<String> options,
        long seed,
        long dataBytes,
        int pieceBytes,
        boolean encrypts,
        int jobsBeside,
        Duration limit) {
    public ReplicateJob {
        checkArgument(!launcher.isEmpty(), "no launcher");
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        checkArgument(pieceBytes >= 0, "pieceBytes: %s", pieceBytes);
    }
}
