package org.robber.emulation.testbed.network;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** How TCP avoids congestion: a choice of the kernel's, by name. */
public final class KernelCongestion {

    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");

    private KernelCongestion() {}

    /** The default of this machine. */
    public static String ofMachine() {
        return read("tcp_congestion_control");
    }

    /**
     * Checks that nodes can use it.
     *
     * @throws TestbedException if not; says what to do
     */
    public static void check(String name) {
        String allowed = read("tcp_allowed_congestion_control");
        if (!name.equals(ofMachine()) && !Splitter.on(' ').splitToList(allowed).contains(name)) {
            throw new TestbedException(
                    "congestion control '" + name + "' is not among those that this machine allows in"
                            + " namespaces, " + allowed.replace(" ", ", ") + ": if the kernel has it, run sysctl"
                            + " net.ipv4.tcp_allowed_congestion_control='" + allowed + " " + name + "'");
        }
    }

    private static String read(String setting) {
        try {
            return Files.readString(SETTINGS.resolve(setting)).strip();
        } catch (IOException e) {
            throw new TestbedException("cannot find out which congestion control there is: " + e.getMessage(), e);
        }
    }
}
