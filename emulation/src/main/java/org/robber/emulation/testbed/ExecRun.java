package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.Optional;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;

/**
 * One run of another program than Robber. All bytes that cross between clusters count as data. The run begins with the first
 * mebibyte that crosses and ends with the last program, unless programs report their times ({@link ReportedTimes}).
 */
public final class ExecRun {

    /** Stands for the strategy in results. */
    public static final String STRATEGY = "exec";

    private final Testbed testbed;
    private final String command;
    private final long dataBytes;
    private final long seed;
    private final Duration limit;

    /**
     * @param command for a shell on each node
     * @param dataBytes size of the data, for the programs and the report
     * @param seed for the programs
     * @param limit how long the programs may run
     */
    public ExecRun(Testbed testbed, String command, long dataBytes, long seed, Duration limit) {
        this.testbed = testbed;
        this.command = command;
        this.dataBytes = dataBytes;
        this.seed = seed;
        this.limit = limit;
    }

    /**
     * Runs the command on every node.
     *
     * @throws InterruptedException if the thread was interrupted; the programs are ended
     */
    public RunResult run() throws InterruptedException {
        ExecCommand program = new ExecCommand(
                command,
                ImmutableMap.of("ROBBER_DATA_SIZE", Long.toString(dataBytes), "ROBBER_SEED", Long.toString(seed)));
        return result(testbed.run(program.programs(testbed), StartSignal.eventOrData(), limit));
    }

    private RunResult result(ProgramRun run) {
        ReportedTimes reported = ReportedTimes.of(run.exits());
        ImmutableList.Builder<NodeRun> nodes = ImmutableList.builder();
        for (NodeExit exit : run.exits()) {
            long nanos = reported.nanosOf(exit.rank(), run.nanos());
            nodes.add(new NodeRun(exit.rank(), exit.exitCode() == 0 ? nanos : -1, 0, 0, 0, 0));
        }
        return new RunResult(
                testbed.scenario(),
                Backend.TESTBED,
                STRATEGY,
                seed,
                dataBytes,
                0,
                problem(run),
                nodes.build(),
                run.crossedBytes(),
                run.crossedBytes(),
                run.cpuNanos(),
                run.timeline(),
                /* besideNanos= */ ImmutableList.of());
    }

    private String problem(ProgramRun run) {
        Optional<NodeExit> failure = run.firstFailure();
        if (failure.isPresent()) {
            NodeExit exit = failure.get();
            return "the command of rank " + exit.rank() + " ended with code " + exit.exitCode() + ": "
                    + exit.lastError();
        }
        if (!run.inTime()) {
            return "not done within " + limit.toSeconds() + " s";
        }
        return run.started() ? "" : "no program reported its start, and less than a mebibyte crossed between clusters";
    }
}
