package org.robber.emulation.testbed.network;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.network.Shaping.Side;

/** The commands that make a scenario's clusters: namespaces, bridges, cards. The network between clusters comes later. */
public final class NetworkScript {

    /** No cached round trips and rates from one run to the next; no traffic of unused protocols. */
    private static final ImmutableList<String> SETTINGS = ImmutableList.of(
            "net/ipv4/tcp_no_metrics_save=1",
            "net/ipv6/conf/all/disable_ipv6=1",
            "net/ipv6/conf/default/disable_ipv6=1");

    private static final ImmutableList<String> ROUTER_SETTINGS = ImmutableList.<String>builder()
            .addAll(SETTINGS)
            .add("net/ipv4/ip_forward=1")
            .add("net/ipv4/conf/all/send_redirects=0")
            .add("net/ipv4/conf/default/send_redirects=0")
            .add("net/bridge/bridge-nf-call-iptables=0")
            .build();

    private NetworkScript() {}

    /**
     * Makes every cluster.
     *
     * @param congestionControl how TCP on the nodes avoids congestion, by the kernel's name
     */
    public static ImmutableList<String> clusters(Scenario scenario, String congestionControl) {
        AddressPlan.check(scenario);
        ImmutableList.Builder<String> script = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            ClusterSpec spec = scenario.clusters().get(cluster);
            router(script, cluster, spec);
            for (int index = 0; index < spec.nodes(); index++) {
                node(script, scenario, new NodePlace(cluster, index), congestionControl);
            }
        }
        return script.build();
    }

    /** Connects every router to the other clusters by a device that is there already, outside of all those namespaces. */
    public static ImmutableList<String> uplinks(Scenario scenario) {
        ImmutableList.Builder<String> script = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            String device = AddressPlan.wanDevice(cluster);
            String router = AddressPlan.router(cluster);
            String ip = "ip -n " + router + " ";
            script.add("ip link set " + device + " netns " + router);
            script.add(ip + "link set " + device + " mtu " + AddressPlan.MTU + " up");
            script.add(ip + "route add " + AddressPlan.EVERYTHING + " dev " + device);
        }
        return script.build();
    }

    private static void router(ImmutableList.Builder<String> script, int cluster, ClusterSpec spec) {
        String router = AddressPlan.router(cluster);
        String ip = "ip -n " + router + " ";
        String bridge = AddressPlan.BRIDGE;
        script.add("ip netns add " + router);
        settings(script, router, ROUTER_SETTINGS);
        // shows the counters of the devices of this namespace to those outside of it
        String counters = AddressPlan.counters(cluster);
        script.add("mkdir -p " + counters);
        script.add("nsenter --net=/run/netns/" + router + " mount -t sysfs sysfs " + counters);
        script.add(ip + "link set lo up");
        script.add(ip + "link add " + bridge + " type bridge mcast_snooping 0");
        script.add(ip + "link set " + bridge + " mtu " + AddressPlan.MTU + " up");
        script.add(ip + "addr add " + AddressPlan.gateway(cluster) + "/16 dev " + bridge);
        script.addAll(new Shaping(Double.POSITIVE_INFINITY, spec.lan(), Double.POSITIVE_INFINITY)
                .script(router, bridge, Side.SOURCE, AddressPlan.subnet(cluster)));
    }

    private static void node(
            ImmutableList.Builder<String> script, Scenario scenario, NodePlace place, String congestionControl) {
        ClusterSpec spec = scenario.clusters().get(place.cluster());
        String node = AddressPlan.node(scenario.rankOf(place));
        String router = AddressPlan.router(place.cluster());
        String port = AddressPlan.port(place);
        String device = AddressPlan.NODE_DEVICE;
        String ip = "ip -n " + node + " ";
        script.add("ip netns add " + node);
        settings(
                script,
                node,
                ImmutableList.<String>builder()
                        .addAll(SETTINGS)
                        .add("net/ipv4/tcp_congestion_control=" + congestionControl)
                        .build());
        script.add(ip + "link set lo up");
        script.add(ip + "link add " + device + " mtu " + AddressPlan.MTU + " type veth peer name " + port + " mtu "
                + AddressPlan.MTU + " netns " + router);
        script.add("ip -n " + router + " link set " + port + " master " + AddressPlan.BRIDGE + " up");
        script.add(ip + "link set " + device + " up");
        String gateway = AddressPlan.gateway(place.cluster());
        if (Double.isInfinite(spec.lan())) {
            script.add(ip + "addr add " + AddressPlan.address(place) + "/16 dev " + device);
        } else {
            // a limit for all local traffic together needs one device that all of it passes: the router's bridge
            script.add(ip + "addr add " + AddressPlan.address(place) + "/32 dev " + device);
            script.add(ip + "route add " + gateway + " dev " + device);
        }
        script.add(ip + "route add default via " + gateway);
        String subnet = AddressPlan.subnet(place.cluster());
        script.addAll(Shaping.card(spec.nodeUp().get(place.index()), spec.nic(), spec.lanUp())
                .script(node, device, Side.DESTINATION, subnet));
        script.addAll(Shaping.card(spec.nodeDown().get(place.index()), spec.nic(), spec.lanDown())
                .script(router, port, Side.SOURCE, subnet));
    }

    /** The files of settings show those of the namespace that opens them; some kernels lack some of them. */
    private static void settings(ImmutableList.Builder<String> script, String namespace, List<String> settings) {
        StringBuilder writes = new StringBuilder();
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            String file = "/proc/sys/" + parts[0];
            writes.append("if [ -e ")
                    .append(file)
                    .append(" ]; then echo ")
                    .append(parts[1])
                    .append(" >")
                    .append(file);
            writes.append("; fi; ");
        }
        script.add("nsenter --net=/run/netns/" + namespace + " sh -ec '"
                + writes.toString().strip() + "'");
    }
}
