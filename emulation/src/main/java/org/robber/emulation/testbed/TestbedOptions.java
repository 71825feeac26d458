package org.robber.emulation.testbed;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import org.robber.emulation.testbed.network.CongestionControl;

/**
 * How a testbed is made.
 *
 * @param memoryBytes most that programs may write to memory-backed files there, all nodes together
 * @param folder where programs run
 * @param wan what is between the clusters
 * @param congestionControl of the nodes' TCP, by the kernel's name
 */
public record TestbedOptions(long memoryBytes, Path folder, WanKind wan, String congestionControl) {

    /** Room for what programs write besides the data: reports, logs. */
    private static final long EXTRA_BYTES = 256L << 20;

    public TestbedOptions {
        checkArgument(memoryBytes > 0, "memoryBytes: %s", memoryBytes);
    }

    /** Enough for a copy of so many bytes on each of so many nodes; programs run where this one does. */
    public static TestbedOptions forData(long dataBytes, int nodes) {
        return new TestbedOptions(
                dataBytes * nodes + EXTRA_BYTES,
                Path.of("").toAbsolutePath(),
                WanKind.AUTO,
                CongestionControl.ofMachine());
    }

    /** The same with another network between the clusters. */
    public TestbedOptions withWan(WanKind kind) {
        return new TestbedOptions(memoryBytes, folder, kind, congestionControl);
    }

    /** The same with another congestion control. */
    public TestbedOptions withCongestionControl(String name) {
        return new TestbedOptions(memoryBytes, folder, wan, name);
    }
}
