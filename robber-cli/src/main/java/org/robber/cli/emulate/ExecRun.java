package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.testbed.ExecCommand;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;

/**
 * One run of a command that is none of ours: what is known of it is what the testbed sees from outside. All that crosses
 * counts as data; time begins with the first mebibyte that crosses, and ends with the last program, unless programs write lines
 * that say more ({@link SaidTimes}).
 */
final class ExecRun {

    private final Testbed testbed;
    private final String command;
    private final long dataBytes;
    private final long seed;
    private final Duration limit;

    /**
     * @param command for a shell on each node
     * @param dataBytes what it moves, for those who run and those who read
     * @param seed for those who run
     */
    ExecRun(Testbed testbed, String command, long dataBytes, long seed, Duration limit) {
        this.testbed = testbed;
        this.command = command;
        this.dataBytes = dataBytes;
        this.seed = seed;
        this.limit = limit;
    }

    RunResult run() throws InterruptedException {
        ExecCommand program = new ExecCommand(
                command,
                ImmutableMap.of("ROBBER_DATA_SIZE", Long.toString(dataBytes), "ROBBER_SEED", Long.toString(seed)));
        return result(testbed.run(program.programs(testbed), StartSignal.eventOrData(), limit));
    }

    private RunResult result(ProgramRun run) {
        SaidTimes said = SaidTimes.of(run.exits());
        ImmutableList.Builder<NodeRun> nodes = ImmutableList.builder();
        for (NodeExit exit : run.exits()) {
            long nanos = said.nanosOf(exit.rank(), run.nanos());
            nodes.add(new NodeRun(exit.rank(), exit.exitCode() == 0 ? nanos : -1, 0, 0, 0, 0));
        }
        return new RunResult(
                testbed.scenario(),
                Backend.TESTBED,
                EmulateRequest.EXEC,
                seed,
                dataBytes,
                0,
                problem(run),
                nodes.build(),
                run.crossedBytes(),
                run.crossedBytes(),
                run.cpuNanos(),
                run.timeline());
    }

    private String problem(ProgramRun run) {
        if (!run.inTime()) {
            return "not done within " + limit.toSeconds() + " s";
        }
        for (NodeExit exit : run.exits()) {
            if (exit.exitCode() != 0) {
                return "the command of rank " + exit.rank() + " ended with code " + exit.exitCode() + ": "
                        + lastWords(exit.errors());
            }
        }
        return run.started() ? "" : "nothing worth measuring crossed between clusters";
    }

    /** The last line that is more than decoration: launchers draw frames around what they have to say. */
    private static String lastWords(String errors) {
        return errors.lines()
                .filter(line -> line.chars().anyMatch(Character::isLetterOrDigit))
                .reduce("", (before, line) -> line)
                .strip();
    }
}
