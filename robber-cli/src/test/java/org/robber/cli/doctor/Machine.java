package org.robber.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.robber.cli.doctor.DestinationCheckup.Disk;
import org.robber.cli.doctor.Diagnosis.Transfer;

/** The files in which a machine tells of itself, as they were on real ones, and what the doctor finds there. */
final class Machine {

    private static final long MEMORY_BYTES = 512L << 20;

    private final Path root;

    private Machine(Path root) {
        this.root = root;
    }

    /** A Debian 12 as it is installed, with a card of 1 Gbit/s and 16 GiB. */
    static Machine debian(Path root) throws IOException {
        Machine machine = new Machine(root);
        machine.parameter("net/ipv4/tcp_rmem", "4096\t131072\t6291456");
        machine.parameter("net/ipv4/tcp_wmem", "4096\t16384\t4194304");
        machine.parameter("net/ipv4/tcp_moderate_rcvbuf", "1");
        machine.parameter("net/ipv4/tcp_window_scaling", "1");
        machine.parameter("net/ipv4/tcp_congestion_control", "cubic");
        machine.parameter("net/ipv4/tcp_available_congestion_control", "reno cubic");
        machine.parameter("net/ipv4/tcp_allowed_congestion_control", "reno cubic");
        machine.parameter("net/ipv4/tcp_sack", "1");
        machine.parameter("net/core/somaxconn", "4096");
        machine.parameter("kernel/hostname", "node7");
        machine.file("etc/hosts", "127.0.0.1\tlocalhost\n10.1.0.7 node7.site node7 # this one\n::1 ip6-localhost");
        machine.file("proc/self/limits", """
            Limit                     Soft Limit           Hard Limit           Units
            Max cpu time              unlimited            unlimited            seconds
            Max open files            1024                 1048576              files
            Max locked memory         8388608              8388608              bytes
            """);
        machine.file("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope");
        machine.file("proc/meminfo", "MemTotal:       16303428 kB\nMemFree:   1000 kB\nMemAvailable:   14680064 kB");
        machine.card("lo", "772", "unknown", "65536", null);
        machine.card("eno1", "1", "up", "1500", "1000");
        machine.card("eno2", "1", "down", "1500", "-1");
        return machine;
    }

    Machine parameter(String name, String text) throws IOException {
        return file("proc/sys/" + name, text);
    }

    Machine card(String name, String type, String state, String mtu, String speed) throws IOException {
        file("sys/class/net/" + name + "/device/vendor", "0x8086");
        return virtualCard(name, type, state, mtu, speed);
    }

    Machine virtualCard(String name, String type, String state, String mtu, String speed) throws IOException {
        String folder = "sys/class/net/" + name + "/";
        file(folder + "type", type);
        file(folder + "operstate", state);
        file(folder + "mtu", mtu);
        return speed == null ? this : file(folder + "speed", speed);
    }

    Machine file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
        return this;
    }

    /** All findings for a line, a job of 64 nodes, and no destination. */
    Diagnosis examine(long megabits, int millis) {
        return examine(new Transfer(line(megabits, millis), 64, MEMORY_BYTES, null, 0, 0));
    }

    Diagnosis examine(Transfer transfer) {
        return Diagnosis.of(root, transfer, name -> null, folder -> new Disk("", 0, -1, 0, 0));
    }

    static Line line(long megabits, int millis) {
        return new Line(megabits * 125_000, Duration.ofMillis(millis));
    }

    static Finding find(List<Finding> findings, String check) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(check + " is not in " + findings));
    }
}
