package org.robber.bench.death;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.robber.bench.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@link OneDeath} is asked for. */
@Command(
        name = "one-death",
        description =
                "What the death of one node, drawn at random like its time, costs the others: their time over that"
                        + " without it.",
        showDefaultValues = true)
final class OneDeathOptions implements Callable<Integer> {
    @Parameters(index = "0", hidden = true, description = "folder of the project, which the script gives")
    private Path root = Path.of("");

    @Option(names = "--scenario", paramLabel = "FILE", description = "in place of tc1_fast_links", defaultValue = "")
    private Path scenario = Path.of("");

    @Option(names = "--nodes", paramLabel = "N", description = "nodes of each cluster")
    private int nodes = 4;

    @Option(names = "--size", paramLabel = "BYTES", description = "size of the data")
    private long dataBytes = 600_000_000;

    @Option(names = "--strategy", paramLabel = "NAME", description = "as in robber-cli emulate")
    private String strategy = "robber";

    @Option(names = "--seed", paramLabel = "N", description = "of the first run")
    private long firstSeed = 1;

    @Option(names = "--runs", paramLabel = "N", description = "with the seeds that follow")
    private int runs = 21;

    @Option(names = "--testbed", description = "real processes in the testbed, which needs root; else the simulator")
    private boolean inTestbed;

    @Override
    public Integer call() throws InterruptedException {
        return OneDeath.run(this, System.out) < OneDeath.GOAL ? 0 : Program.FAILED;
    }

    Path scenario() {
        return scenario.toString().isEmpty() ? root.resolve("emulation/scenarios/tc1_fast_links.json") : scenario;
    }

    int nodes() {
        checkArgument(nodes >= 1, "--nodes=%s is not at least 1", nodes);
        return nodes;
    }

    long dataBytes() {
        return dataBytes;
    }

    String strategy() {
        return strategy;
    }

    long firstSeed() {
        return firstSeed;
    }

    int runs() {
        checkArgument(runs >= 1, "--runs=%s is not at least 1", runs);
        return runs;
    }

    boolean inTestbed() {
        return inTestbed;
    }

    /** The command {@code robber-cli}. */
    String launcher() {
        return root.resolve("robber-cli/bin/robber-cli").toString();
    }
}
