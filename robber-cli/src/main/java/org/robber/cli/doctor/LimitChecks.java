package org.robber.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.cli.progress.ByteText;

/**
 * The limits of this machine for a node: open files, waiting connections, memory.
 *
 * @param nodes of the job, this one included
 * @param memoryBytes the budget of a node for pieces
 */
record LimitChecks(MachineFiles machine, int nodes, long memoryBytes) {

    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+\\S+\\s+(\\S+).*");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");
    private static final String QUEUE = "net.core.somaxconn";

    /** The default of kernels since 5.4. */
    private static final int USUAL_QUEUE = 4096;

    /** Connections of a node to each other one: for data, and for messages of groups. */
    private static final int CONNECTIONS_PER_NODE = 2;

    /** Open files of the data, and those of Java. */
    private static final int OTHER_FILES = 256;

    /** What Java needs besides the budget for pieces, in a job of usual size. */
    private static final long JAVA_BYTES = 256L << 20;

    List<Finding> findings() {
        return List.of(openFiles(), listenQueue(), memory());
    }

    /** Java raises the soft limit to the hard one by itself. */
    private Finding openFiles() {
        String check = "open-files";
        String limit = machine.lines("proc/self/limits").stream()
                .map(OPEN_FILES::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
        if (limit.equals("unlimited")) {
            return Finding.good(check, "no limit of open files");
        }
        long files = MachineFiles.number(limit);
        if (files < 0) {
            return Finding.unknown(check, "/proc/self/limits names no limit of open files");
        }
        long needed = (long) CONNECTIONS_PER_NODE * nodes + OTHER_FILES;
        String found = "a process may have " + files + " open files (hard limit)";
        return files >= needed
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        "a node of a job with " + nodes + " nodes takes up to " + needed,
                        "ulimit -Hn " + needed + " as root before the node starts, or LimitNOFILE=" + needed
                                + " in its systemd unit");
    }

    /** All nodes connect to rank 0 at the same moment. */
    private Finding listenQueue() {
        String check = "listen-queue";
        long connections = machine.number(QUEUE, 0);
        if (connections < 0) {
            return Finding.unknown(check, QUEUE + " cannot be read");
        }
        String found = connections + " connections may wait to be accepted";
        return connections >= nodes - 1
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        "rank 0 of " + nodes + " nodes answers the others after pauses of 1 s and more",
                        "sysctl -w " + QUEUE + "=" + Math.max(USUAL_QUEUE, nodes));
    }

    private Finding memory() {
        String check = "memory";
        List<Long> limits = new ArrayList<>(new ControlGroup(machine).memoryLimits());
        for (String line : machine.lines("proc/meminfo")) {
            Matcher available = AVAILABLE.matcher(line);
            if (available.matches()) {
                limits.add(Long.parseLong(available.group(1)) * 1024);
            }
        }
        if (limits.isEmpty()) {
            return Finding.unknown(check, "/proc/meminfo does not say how much memory is available");
        }
        long available = limits.stream().mapToLong(Long::longValue).min().orElseThrow();
        long needed = memoryBytes + JAVA_BYTES;
        String found = ByteText.bytes(available) + " are available to processes of this user";
        return available >= needed
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        "a node takes up to " + ByteText.bytes(needed) + " (--memory and Java); the kernel kills it",
                        "more memory, or replicate --memory=" + Math.max(4, (available - JAVA_BYTES) >> 20) + "M");
    }
}
