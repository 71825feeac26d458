package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;

/**
 * One run of another program than Robber. All bytes that cross between clusters count as data. The run begins with the first
 * mebibyte that crosses and ends with the last program, unless programs report their times ({@link ReportedTimes}).
 *
 * @param command for a shell on each node
 * @param dataBytes size of the data, for the programs and the report
 * @param seed for the programs
 * @param limit how long the programs may run
 * @param log told of the first program that fails, at once
 */
public record ExecRun(
        Testbed testbed, String command, long dataBytes, long seed, Duration limit, Consumer<String> log) {

    /** Stands for the strategy in results. */
    public static final String STRATEGY = "exec";

    /**
     * Runs the command on every node.
     *
     * @throws InterruptedException if the thread was interrupted; the programs are ended
     */
    public RunResult run() throws InterruptedException {
        ExecCommand program = new ExecCommand(
                command,
                ImmutableMap.of("ROBBER_DATA_SIZE", Long.toString(dataBytes), "ROBBER_SEED", Long.toString(seed)));
        return result(testbed.run(program.programs(testbed), StartSignal.eventOrData(), limit, this::tell));
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
                /* besideNanos= */ ImmutableList.of(),
                Recovery.of(testbed.scenario(), run.timeline()));
    }

    private void tell(NodeExit exit) {
        String node = testbed.scenario().nodeName(testbed.places().get(exit.rank()));
        log.accept("node " + node + ": " + text(exit) + "; the run waits for the others that still run, at most "
                + limit.toSeconds() + " s: end it by Ctrl-C if they wait for this one");
    }

    private static String text(NodeExit exit) {
        String error = exit.lastError();
        return "the command of rank " + exit.rank() + " ended with code " + exit.exitCode()
                + (error.isEmpty() ? "" : ": " + error);
    }

    private String problem(ProgramRun run) {
        Optional<NodeExit> failure = run.firstFailure();
        if (failure.isPresent()) {
            return text(failure.get());
        }
        if (!run.inTime()) {
            return "not done within " + limit.toSeconds() + " s";
        }
        return run.started() ? "" : "no program reported its start, and less than a mebibyte crossed between clusters";
    }
}
