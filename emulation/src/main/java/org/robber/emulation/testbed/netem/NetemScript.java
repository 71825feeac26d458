package org.robber.emulation.testbed.netem;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.network.HtbRates;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.wan.QueueLimits;

/**
 * The commands that make and change a network of netem and HTB. In the middle is a namespace, the core, with a device to every
 * router. Traffic to a cluster passes the core's device towards it. There, each sending cluster has a class of HTB for the rate of
 * that link, and below it netem for delay and loss. The class above them all is the access link.
 */
final class NetemScript {

    /** Namespace in the middle. */
    static final String CORE = "core";

    private static final long ETHERNET_BYTES = 14;
    private static final long FRAME_BYTES = AddressPlan.MTU + ETHERNET_BYTES;

    /** Of a queue: more than any that has a limit, and a number that tc takes. */
    private static final long MOST_BYTES = 1L << 30;

    /** For the first cluster; the root class is 1:1. */
    private static final int FIRST_CLASS = 0x10;

    /** A device, by its cluster, or a class and what has left it, as tc prints it. */
    private static final Pattern COUNT = Pattern.compile(
            "^to (\\d+)$|^class htb 1:([0-9a-f]+) .*\\s+Sent (\\d+) bytes (\\d+) pkt ", Pattern.MULTILINE);

    private NetemScript() {}

    /** Makes the core and a pair of devices for each router: the router's is left where this runs, the other is in the core. */
    static ImmutableList<String> core(Scenario scenario) {
        ImmutableList.Builder<String> script = ImmutableList.builder();
        script.add("ip netns add " + CORE);
        script.add("nsenter --net=/run/netns/" + CORE + " sh -ec 'echo 1 >/proc/sys/net/ipv4/ip_forward'");
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            String device = device(cluster);
            script.add("ip link add " + AddressPlan.wanDevice(cluster) + " mtu " + AddressPlan.MTU
                    + " type veth peer name " + device + " mtu " + AddressPlan.MTU + " netns " + CORE);
            script.add("ip -n " + CORE + " addr add " + coreAddress(cluster) + "/30 dev " + device);
            script.add("ip -n " + CORE + " link set " + device + " up");
            script.add(
                    "ip -n " + CORE + " route add " + AddressPlan.subnet(cluster) + " via " + routerAddress(cluster));
            double down = scenario.clusters().get(cluster).accessDown();
            String tc = "tc -n " + CORE + " ";
            script.add(tc + "qdisc add dev " + device + " root handle 1: htb");
            script.add(tc + "class add dev " + device + " parent 1: classid 1:1 htb " + rates(down, down));
        }
        return script.build();
    }

    /** Completes the routers' sides, once their devices are with them: they need to know the core's address. */
    static ImmutableList<String> routers(Scenario scenario) {
        ImmutableList.Builder<String> script = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            String router = AddressPlan.router(cluster);
            String device = AddressPlan.wanDevice(cluster);
            script.add("ip -n " + router + " addr add " + routerAddress(cluster) + "/30 dev " + device);
            script.add("ip -n " + router + " route replace " + AddressPlan.EVERYTHING + " via " + coreAddress(cluster));
            double up = scenario.clusters().get(cluster).accessUp();
            if (!Double.isInfinite(up)) {
                String tc = "tc -n " + router + " ";
                script.add(tc + "qdisc add dev " + device + " root handle 1: htb default 1");
                script.add(tc + "class add dev " + device + " parent 1: classid 1:1 htb " + rates(up, up));
                script.add(tc + "qdisc add dev " + device + " parent 1:1 handle 10: bfifo limit " + queueBytes(up, 0));
            }
        }
        return script.build();
    }

    /**
     * Makes the links of all ordered pairs, or changes them to this phase. Then the kind of a queue stays what it was, so that the
     * kernel keeps the packets in it. A link that ends keeps its rate, so that the packets on their way arrive.
     */
    static ImmutableList<String> links(Scenario scenario, Phase phase, boolean areNew) {
        ImmutableList.Builder<String> script = ImmutableList.builder();
        pairs(scenario).forEach(pair -> {
            String tc = "tc -n " + CORE + " ";
            String dev = " dev " + device(pair.to()) + " parent ";
            String number = Integer.toHexString(FIRST_CLASS + pair.from());
            String id = "1:" + number;
            LinkSpec link = phase.links().get(pair);
            if (areNew || passes(link)) {
                script.add(tc + "class " + (areNew ? "add" : "change") + dev + "1:1 classid " + id + " htb "
                        + rates(scenario, pair, link));
            }
            script.add(tc + "qdisc " + (areNew ? "add" : "replace") + dev + id + " handle " + number + ": "
                    + queue(scenario, pair, link));
            if (areNew) {
                script.add(tc + "filter add" + dev + "1: protocol ip prio 1 u32 match ip src "
                        + AddressPlan.subnet(pair.from()) + " flowid " + id);
            }
        });
        return script.build();
    }

    /** Prints statistics for {@link #bytes}. */
    static ImmutableList<String> counts(Scenario scenario) {
        ImmutableList.Builder<String> script = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            script.add("echo to " + cluster);
            script.add("tc -n " + CORE + " -s class show dev " + device(cluster));
        }
        return script.build();
    }

    /**
     * Bytes of IP packets that have left each class, by ordered pair.
     *
     * @param counts output of the commands of {@link #counts}
     * @throws TestbedException if it is something else
     */
    static ImmutableSortedMap<ClusterPair, Long> bytes(String counts) {
        ImmutableSortedMap.Builder<ClusterPair, Long> bytes = ImmutableSortedMap.naturalOrder();
        int to = -1;
        for (Matcher count = COUNT.matcher(counts); count.find(); ) {
            if (count.group(1) != null) {
                to = Integer.parseInt(count.group(1));
                continue;
            }
            int from = Integer.parseInt(count.group(2), 16) - FIRST_CLASS;
            if (from >= 0) {
                long headers = ETHERNET_BYTES * Long.parseLong(count.group(4));
                bytes.put(new ClusterPair(from, to), Long.parseLong(count.group(3)) - headers);
            }
        }
        if (to < 0) {
            throw new TestbedException("cannot read what tc says of classes: " + counts);
        }
        return bytes.buildOrThrow();
    }

    private static ImmutableList<ClusterPair> pairs(Scenario scenario) {
        return ClusterPair.all(scenario.clusters().size());
    }

    /** Whether some link needs more than a rate in some phase. */
    static boolean needsNetem(Scenario scenario) {
        return pairs(scenario).stream().anyMatch(pair -> needsNetem(scenario, pair));
    }

    private static boolean needsNetem(Scenario scenario, ClusterPair pair) {
        return scenario.phases().stream()
                .map(phase -> phase.links().get(pair))
                .anyMatch(
                        link -> link == null || link.bytesPerSecond() == 0 || link.delayNanos() > 0 || link.loss() > 0);
    }

    private static boolean passes(@Nullable LinkSpec link) {
        return link != null && link.bytesPerSecond() > 0;
    }

    private static String queue(Scenario scenario, ClusterPair pair, @Nullable LinkSpec link) {
        if (link == null || link.bytesPerSecond() == 0) {
            return "netem loss 100%";
        }
        long queue = queueBytes(link.bytesPerSecond(), link.delayNanos());
        if (!needsNetem(scenario, pair)) {
            return "bfifo limit " + queue;
        }
        // netem counts packets, and those that are delayed count as well
        double underWay = Math.min(link.bytesPerSecond(), HtbRates.UNLIMITED) * link.delayNanos() / 1e9;
        return String.format(
                Locale.ROOT,
                "netem limit %d delay %dus%s",
                (long) Math.ceil((underWay + queue) / AddressPlan.MTU),
                link.delayNanos() / 1000,
                link.loss() == 0 ? "" : String.format(Locale.ROOT, " loss %.4f%%", link.loss() * 100));
    }

    private static long queueBytes(double bytesPerSecond, long delayNanos) {
        return Math.min(MOST_BYTES, QueueLimits.bytes(bytesPerSecond, delayNanos, AddressPlan.MTU));
    }

    /** A class may always send at its own rate: all together must not have more than the access link above them. */
    private static String rates(Scenario scenario, ClusterPair pair, @Nullable LinkSpec link) {
        double ceiling = link == null ? 0 : link.bytesPerSecond();
        double access = scenario.clusters().get(pair.to()).accessDown();
        return rates(Math.min(ceiling, access / scenario.clusters().size()), ceiling);
    }

    private static String rates(double rate, double ceiling) {
        return HtbRates.text(frames(rate), frames(ceiling));
    }

    /** HTB counts Ethernet's frames; links count IP packets. */
    private static double frames(double bytesPerSecond) {
        return Math.min(bytesPerSecond, HtbRates.UNLIMITED) * FRAME_BYTES / AddressPlan.MTU;
    }

    private static String device(int cluster) {
        return "c" + cluster;
    }

    private static String coreAddress(int cluster) {
        return "192.168." + (cluster + 1) + ".1";
    }

    private static String routerAddress(int cluster) {
        return "192.168." + (cluster + 1) + ".2";
    }
}
