package org.robber.emulation.testbed.netem;

import com.google.common.collect.ImmutableSortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Reads the statistics of classes that tc prints. */
final class NetemCounts {

    private static final Pattern TO = Pattern.compile("to (\\d+)");
    private static final Pattern CLASS = Pattern.compile("class htb (1:[0-9a-f]+) .*");
    private static final Pattern SENT = Pattern.compile("\\s*Sent (\\d+) bytes (\\d+) pkt .*");
    private static final int ETHERNET_BYTES = 14;

    private NetemCounts() {}

    /**
     * Bytes of IP packets that have left each class, by ordered pair.
     *
     * @param text output of the commands of {@link NetemScript#counts}
     * @throws TestbedException if it is something else
     */
    static ImmutableSortedMap<ClusterPair, Long> parse(String text) {
        ImmutableSortedMap.Builder<ClusterPair, Long> counts = ImmutableSortedMap.naturalOrder();
        int to = -1;
        int from = -1;
        for (String line : text.lines().toList()) {
            Matcher header = TO.matcher(line);
            Matcher start = CLASS.matcher(line);
            Matcher sent = SENT.matcher(line);
            if (header.matches()) {
                to = Integer.parseInt(header.group(1));
                from = -1;
            } else if (start.matches()) {
                from = NetemScript.clusterOfClass(start.group(1));
            } else if (sent.matches() && from >= 0) {
                long packets = Long.parseLong(sent.group(2));
                counts.put(new ClusterPair(from, to), Long.parseLong(sent.group(1)) - ETHERNET_BYTES * packets);
                from = -1;
            }
        }
        if (to < 0) {
            throw new TestbedException("cannot read what tc says of classes: " + text);
        }
        return counts.buildOrThrow();
    }
}
