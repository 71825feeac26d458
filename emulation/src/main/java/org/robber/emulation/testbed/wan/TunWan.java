package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/**
 * A wide-area network in a process of its own, between TUN devices. It needs the right to make network devices, and nothing of
 * the kernel's traffic shaping.
 *
 * <p>Rates count bytes of IP packets, headers included, as a real line does. TCP can carry 99.4 % of them as data at an MTU of
 * 9000. Not thread-safe.
 */
public final class TunWan implements Wan {

    private final Scenario scenario;
    private final int mtu;
    private final WanProcess process;

    private TunWan(Scenario scenario, int mtu, WanProcess process) {
        this.scenario = scenario;
        this.mtu = mtu;
        this.process = process;
    }

    /**
     * Starts a network in the state of the scenario's first phase. When this returns, each port's device exists in the network
     * namespace where the process runs, and can be moved to its router's. It is down, without address, and its MTU is set.
     *
     * @param enter beginning of the command, to run the process in other namespaces; empty for those of this process
     * @param ports where each cluster of the scenario is, in order; their subnets must not overlap
     * @param mtu bytes of the largest packet, from 576 to 65535; most of the cost is per packet
     * @param seed of what is drawn: which packets are lost
     * @throws org.robber.emulation.testbed.sandbox.TestbedException if it can't be started, with the reason
     */
    public static TunWan start(
            List<String> enter, Scenario scenario, ImmutableList<WanPort> ports, int mtu, long seed) {
        checkArgument(ports.size() == scenario.clusters().size(), "%s ports", ports.size());
        for (int i = 0; i < ports.size(); i++) {
            for (int j = 0; j < i; j++) {
                checkArgument(
                        !ports.get(i).subnet().overlaps(ports.get(j).subnet()),
                        "%s overlaps %s",
                        ports.get(i),
                        ports.get(j));
            }
        }
        // loss strikes single packets
        boolean single = scenario.phases().stream()
                .flatMap(phase -> phase.links().values().stream())
                .anyMatch(link -> link.loss() > 0);
        int packets = PacketBudget.of(scenario, mtu);
        TunWan wan = new TunWan(scenario, mtu, WanProcess.start(enter, ports, mtu, single, packets, seed));
        try {
            wan.limitAccess();
            wan.apply(scenario.phases().get(0));
            return wan;
        } catch (RuntimeException e) {
            wan.close();
            throw e;
        }
    }

    @Override
    public void apply(Phase phase) {
        process.order(ClusterPair.all(scenario.clusters().size()).stream()
                .map(pair -> command(pair, phase))
                .toList());
    }

    @Override
    public ImmutableSortedMap<ClusterPair, Long> crossedBytes() {
        ImmutableSortedMap<ClusterPair, WanCounts.Link> all = counts().links();
        return ImmutableSortedMap.copyOf(Maps.transformValues(
                Maps.filterKeys(all, scenario.phases().get(0).links()::containsKey), WanCounts.Link::deliveredBytes));
    }

    /**
     * Counts of packets so far.
     *
     * @throws org.robber.emulation.testbed.sandbox.TestbedException if the network is gone
     */
    public WanCounts counts() {
        return process.count();
    }

    /** How the network's thread stands against others, in one word: {@code realtime}, {@code nice} or {@code ordinary}. */
    public String precedence() {
        return process.precedence();
    }

    @Override
    public void close() {
        process.close();
    }

    private void limitAccess() {
        List<String> commands = new ArrayList<>();
        for (int i = 0; i < scenario.clusters().size(); i++) {
            ClusterSpec cluster = scenario.clusters().get(i);
            commands.add("up " + i + " " + rateAndQueue(cluster.accessUp()));
            commands.add("down " + i + " " + rateAndQueue(cluster.accessDown()));
        }
        process.order(commands);
    }

    private String command(ClusterPair pair, Phase phase) {
        LinkSpec link = phase.links().get(pair);
        String clusters = pair.from() + " " + pair.to();
        if (link == null) {
            return "cut " + clusters;
        }
        return "link " + clusters + " " + rate(link.bytesPerSecond()) + " " + link.delayNanos() + " " + link.loss()
                + " " + QueueLimits.bytes(link.bytesPerSecond(), link.delayNanos(), mtu);
    }

    /** An access link has no delay of its own, but passes packets of links that have. */
    private String rateAndQueue(double rate) {
        long delayNanos = scenario.phases().stream()
                .flatMap(phase -> phase.links().values().stream())
                .mapToLong(LinkSpec::delayNanos)
                .max()
                .orElse(0);
        return rate(rate) + " " + QueueLimits.bytes(rate, delayNanos, mtu);
    }

    private static String rate(double bytesPerSecond) {
        return bytesPerSecond == Double.POSITIVE_INFINITY ? "unlimited" : Double.toString(bytesPerSecond);
    }
}
