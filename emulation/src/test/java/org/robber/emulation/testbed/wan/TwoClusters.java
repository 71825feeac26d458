package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.network.KernelCongestion;
import org.robber.emulation.testbed.network.NetworkScript;
import org.robber.emulation.testbed.sandbox.Sandbox;

/** Two clusters of one node each, {@code n0} and {@code n1}, in namespaces, with a network between them. */
final class TwoClusters implements AutoCloseable {

    static final ClusterPair THERE = new ClusterPair(0, 1);
    static final ClusterPair BACK = new ClusterPair(1, 0);
    static final double FREE = Double.POSITIVE_INFINITY;

    private final Sandbox sandbox;
    private final TunWan wan;

    /** With a limit for all that leaves the first cluster, and these links. */
    TwoClusters(double accessUp, LinkSpec there, LinkSpec back) {
        Scenario scenario = new Scenario(
                "two",
                "",
                Origin.RECONSTRUCTION,
                new NodePlace(0, 0),
                ImmutableList.of(cluster("A", accessUp), cluster("B", FREE)),
                ImmutableList.of(phase(there, back)));
        ImmutableList<WanPort> ports = ImmutableList.of(
                new WanPort(AddressPlan.wanDevice(0), Subnet.parse(AddressPlan.subnet(0))),
                new WanPort(AddressPlan.wanDevice(1), Subnet.parse(AddressPlan.subnet(1))));
        sandbox = Sandbox.open(1 << 20);
        try {
            sandbox.run(NetworkScript.clusters(scenario, KernelCongestion.ofMachine()));
            wan = TunWan.start(sandbox.enter(), scenario, ports, AddressPlan.MTU, 1);
            sandbox.run(NetworkScript.uplinks(scenario));
        } catch (RuntimeException e) {
            sandbox.close();
            throw e;
        }
    }

    private static ClusterSpec cluster(String name, double accessUp) {
        ImmutableList<Double> free = ImmutableList.of(FREE);
        return new ClusterSpec(name, 1, accessUp, FREE, free, free, NicScope.ALL, FREE, FREE, FREE);
    }

    static Phase phase(LinkSpec there, LinkSpec back) {
        return new Phase(0, ImmutableSortedMap.of(THERE, there, BACK, back));
    }

    TunWan wan() {
        return wan;
    }

    void shell(String command) {
        sandbox.run(ImmutableList.of(command));
    }

    /** Starts a Java program on a node. */
    Process java(String node, Class<?> program, List<String> arguments) throws IOException {
        return new ProcessBuilder(ImmutableList.<String>builder()
                        .addAll(sandbox.enter(node, Path.of("").toAbsolutePath()))
                        .add(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-Xmx64m")
                        .add("-cp", System.getProperty("java.class.path"), program.getName())
                        .addAll(arguments)
                        .build())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Override
    public void close() {
        wan.close();
        sandbox.close();
    }
}
