package org.robber.bench.death;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.json.JsonTree;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.Sandbox;

/** With {@code robber-cli replicate} as real processes in the testbed, of which one is killed. */
final class TestbedDeaths implements Deaths {
    private static final String FOLDER = Sandbox.DATA + "/one-death";
    private static final String REPORT = FOLDER + "/report.json";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** The exit code of a program that was killed. */
    private static final int KILLED = 128 + 9;

    /** Kills what it runs when the node's card has received so many bytes; what the kernel shows is of the node alone. */
    private static final String MORTAL = "limit=$1; shift; \"$@\" & child=$!;"
            + " while kill -0 $child 2>/dev/null; do"
            + " got=$(awk '/eth0:/ { sub(/.*:/, \"\"); print $1 }' /proc/net/dev);"
            + " if [ \"${got:-0}\" -ge \"$limit\" ]; then kill -9 $child; break; fi; sleep 0.02; done;"
            + " wait $child";

    private final Scenario scenario;
    private final OneDeathOptions options;
    private final Testbed testbed;

    /**
     * @throws org.robber.emulation.testbed.sandbox.TestbedException if no testbed can be made here
     */
    TestbedDeaths(Scenario scenario, OneDeathOptions options) {
        this.scenario = scenario;
        this.options = options;
        this.testbed = Testbed.open(scenario, TestbedOptions.forData(options.dataBytes(), scenario.nodeCount()));
    }

    @Override
    public int root() {
        return 0;
    }

    @Override
    public double undisturbed(long seed) throws InterruptedException {
        return seconds(seed, -1, 0);
    }

    @Override
    public double withDeath(long seed, int rank, double share, double undisturbedSeconds) throws InterruptedException {
        return seconds(seed, rank, (long) (share * options.dataBytes()));
    }

    private double seconds(long seed, int mortal, long limitBytes) throws InterruptedException {
        testbed.shell(List.of(
                "rm -rf " + FOLDER,
                "mkdir -p " + FOLDER,
                "head -c " + options.dataBytes() + " /dev/urandom > " + FOLDER + "/data"));
        List<NodeProgram> programs = new ArrayList<>();
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            programs.add(program(rank == mortal ? received(rank) + limitBytes : -1));
        }
        ProgramRun run = testbed.run(programs, StartSignal.event(), LIMIT);
        for (NodeExit exit : run.exits()) {
            boolean good = mortal < 0 ? exit.exitCode() == 0 : exit.exitCode() == 0 || exit.exitCode() == 23;
            if (!run.inTime() || (exit.rank() != mortal && !good)) {
                throw new IllegalStateException("seed " + seed + ": the node of rank " + exit.rank()
                        + " ended with code " + exit.exitCode() + ": " + exit.errors());
            }
        }
        return mortal >= 0 && run.exits().get(mortal).exitCode() != KILLED ? Double.NaN : reported();
    }

    private NodeProgram program(long limitBytes) {
        ImmutableList.Builder<String> command = ImmutableList.builder();
        if (limitBytes >= 0) {
            command.add("sh", "-c", MORTAL, "sh", Long.toString(limitBytes));
        }
        command.add(options.launcher(), "replicate", "--strategy=" + options.strategy());
        command.add("--progress=json", "--report=" + REPORT, FOLDER + "/data", FOLDER + "/{rank}");
        return new NodeProgram(command.build(), ImmutableMap.of());
    }

    /** The bytes that the node's card received in earlier runs. */
    private long received(int rank) {
        String folder = FOLDER + "/card";
        testbed.shell(List.of(
                "ip netns exec n" + rank + " awk '/eth0:/ { sub(/.*:/, \"\"); print $1 }' /proc/net/dev >" + folder));
        return Long.parseLong(text(testbed.path(folder)).strip());
    }

    private double reported() {
        return JsonTree.parse("report", text(testbed.path(REPORT)))
                .field("seconds")
                .number("a number of seconds", 0, 1e9)
                .doubleValue();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        testbed.close();
    }
}
