package org.robber.emulation.testbed;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.testbed.network.KernelCongestion;

/**
 * How a testbed is made.
 *
 * @param memoryBytes most that programs may write to memory-backed files there, all nodes together
 * @param reserveBytes memory that is touched before programs run; 0 for none
 * @param folder where programs run
 * @param wan kind of network between the clusters
 * @param congestionControl of the nodes' TCP, by the kernel's name
 */
public record TestbedOptions(long memoryBytes, long reserveBytes, Path folder, WanKind wan, String congestionControl) {

    /**
     * Choices of users; the rest follows from the data and the scenario.
     *
     * @param wan kind of network between the clusters
     * @param congestionControl of the nodes' TCP, by the kernel's name, or null for the machine's
     * @param reservesMemory whether memory is touched before programs run. Needed where a host takes the free memory of a
     *     virtual machine back: otherwise the first use of each page costs processor time of the run.
     */
    public record Choices(WanKind wan, @Nullable String congestionControl, boolean reservesMemory) {
        /** The defaults. */
        public static final Choices DEFAULT = new Choices(WanKind.TUN, null, false);
    }

    /** Room for reports and logs of programs. */
    private static final long EXTRA_BYTES = 256L << 20;

    /** Memory of the process of a node beside the data. */
    public static final long PROGRAM_BYTES = 100L << 20;

    public TestbedOptions {
        checkArgument(memoryBytes > 0, "memoryBytes: %s", memoryBytes);
    }

    /** Enough for a copy of so many bytes on each of so many nodes; programs run where this one does. */
    public static TestbedOptions forData(long dataBytes, int nodes) {
        return forData(dataBytes, nodes, Choices.DEFAULT);
    }

    /** The same with the user's choices. */
    public static TestbedOptions forData(long dataBytes, int nodes, Choices choices) {
        String congestionControl = choices.congestionControl();
        return new TestbedOptions(
                dataBytes * nodes + EXTRA_BYTES,
                choices.reservesMemory() ? (dataBytes + PROGRAM_BYTES) * nodes : 0,
                Path.of("").toAbsolutePath(),
                choices.wan(),
                congestionControl == null ? KernelCongestion.ofMachine() : congestionControl);
    }
}
