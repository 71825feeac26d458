package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.simulator.SharedComputer;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.network.KernelCongestion;

/**
 * The settings of all runs of an experiment.
 *
 * @param dataBytes size of the data
 * @param nodesPerCluster nodes of each cluster, or 0 for those of the scenario
 * @param pieceBytes size of a piece, or 0 to choose it by the size of the data
 * @param requestWindow initial number of outstanding requests per peer, at least 1
 * @param sendBytesPerSecond most that each node sends, or 0 for no limit
 * @param wanSendBytesPerSecond most that each node sends to other clusters, or 0 for no limit
 * @param jobsBeside how many more jobs share the network
 * @param simulated what only the simulator has
 * @param testbed the settings of the testbed, or null for the simulator
 */
public record RunSettings(
        long dataBytes,
        int nodesPerCluster,
        int pieceBytes,
        int requestWindow,
        long sendBytesPerSecond,
        long wanSendBytesPerSecond,
        int jobsBeside,
        Simulated simulated,
        @Nullable InTestbed testbed) {

    /**
     * Settings of the simulator.
     *
     * @param faultSeed seed of the faults, or null for none
     * @param computer the machine that all nodes share, or null if processor time costs nothing
     * @param trace the file for the events of the only run, or null
     */
    public record Simulated(
            @Nullable Long faultSeed,
            @Nullable SharedComputer computer,
            @Nullable Path trace) {}

    /**
     * Settings of the testbed.
     *
     * @param command the shell command of each node, or null for {@code robber-cli replicate}
     * @param encrypts whether {@code robber-cli replicate} encrypts its connections
     * @param choices how the testbed is made
     * @param launcher the command that starts {@code robber-cli}
     */
    public record InTestbed(
            @Nullable String command,
            boolean encrypts,
            TestbedOptions.Choices choices,
            ImmutableList<String> launcher) {}

    /**
     * Names and values of all that must be equal for runs to be comparable.
     *
     * @param runDeadline of each run, which ends commands
     */
    ImmutableMap<String, String> conditions(Deadline runDeadline) {
        ImmutableMap.Builder<String, String> conditions = ImmutableMap.<String, String>builder()
                .put("--size", Long.toString(dataBytes))
                .put("--nodes", nodesPerCluster == 0 ? "default" : Integer.toString(nodesPerCluster))
                .put("--piece-size", pieceBytes == 0 ? "default" : Integer.toString(pieceBytes))
                .put("--request-window", Integer.toString(requestWindow))
                .put("--bwlimit", limit(sendBytesPerSecond))
                .put("--wan-bwlimit", limit(wanSendBytesPerSecond))
                .put("--beside", Integer.toString(jobsBeside))
                .put("--testbed", Boolean.toString(testbed != null));
        if (testbed == null) {
            SharedComputer computer = simulated.computer();
            Long faultSeed = simulated.faultSeed();
            conditions
                    .put("--faults", faultSeed == null ? "none" : faultSeed.toString())
                    .put("--cores", computer == null ? "default" : Integer.toString(computer.cores()))
                    .put("--core-speed", computer == null ? "default" : Double.toString(computer.speed()));
        } else {
            String command = testbed.command();
            String congestion = testbed.choices().congestionControl();
            Computer computer = Computer.here();
            conditions
                    .put("--exec", command == null ? "none" : command)
                    .put(
                            "--run-deadline",
                            command != null && runDeadline.isTime() ? runDeadline.amount() + " s" : "any")
                    .put("--encrypt", Boolean.toString(testbed.encrypts()))
                    .put("--congestion", congestion == null ? KernelCongestion.ofMachine() : congestion)
                    .put("--wan", testbed.choices().wan().toString())
                    .put("--reserve-memory", Boolean.toString(testbed.choices().reservesMemory()))
                    .put("machine", computer.cores() + " x " + computer.architecture())
                    .put("kernel", computer.system() + " " + computer.kernel())
                    .put("Java", computer.java());
        }
        return conditions.buildOrThrow();
    }

    private static String limit(long bytesPerSecond) {
        return bytesPerSecond == 0 ? "none" : Long.toString(bytesPerSecond);
    }
}
