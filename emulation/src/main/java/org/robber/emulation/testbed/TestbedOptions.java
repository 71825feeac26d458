package org.robber.emulation.testbed;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import org.robber.emulation.testbed.network.CongestionControl;

/**
 * How a testbed is made.
 *
 * @param memoryBytes most that programs may write to memory-backed files there, all nodes together
 * @param reserveBytes of memory that is touched before programs run, so that none of them waits for a host that took it
 * @param folder where programs run
 * @param wan what is between the clusters
 * @param congestionControl of the nodes' TCP, by the kernel's name
 */
public record TestbedOptions(long memoryBytes, long reserveBytes, Path folder, WanKind wan, String congestionControl) {

    /** Room for what programs write besides the data: reports, logs. */
    private static final long EXTRA_BYTES = 256L << 20;

    /** What the process of a node needs beside the data. */
    public static final long PROGRAM_BYTES = 100L << 20;

    public TestbedOptions {
        checkArgument(memoryBytes > 0, "memoryBytes: %s", memoryBytes);
    }

    /** Enough for a copy of so many bytes on each of so many nodes; programs run where this one does. */
    public static TestbedOptions forData(long dataBytes, int nodes) {
        return new TestbedOptions(
                dataBytes * nodes + EXTRA_BYTES,
                dataBytes == 0 ? 0 : (dataBytes + PROGRAM_BYTES) * nodes,
                Path.of("").toAbsolutePath(),
                WanKind.AUTO,
                CongestionControl.ofMachine());
    }

    /** The same with another network between the clusters. */
    public TestbedOptions withWan(WanKind kind) {
        return new TestbedOptions(memoryBytes, reserveBytes, folder, kind, congestionControl);
    }

    /** The same with another congestion control. */
    public TestbedOptions withCongestionControl(String name) {
        return new TestbedOptions(memoryBytes, reserveBytes, folder, wan, name);
    }
}
