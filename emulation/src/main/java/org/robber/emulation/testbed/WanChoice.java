package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.netem.NetemWan;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.network.NetworkScript;
import org.robber.emulation.testbed.sandbox.Sandbox;
import org.robber.emulation.testbed.wan.Subnet;
import org.robber.emulation.testbed.wan.TunWan;
import org.robber.emulation.testbed.wan.Wan;
import org.robber.emulation.testbed.wan.WanPort;

/** Puts a network between the clusters. */
final class WanChoice {

    /** Every testbed loses the same packets on lossy links. */
    private static final long SEED = 1;

    private WanChoice() {}

    /** Starts one in the state of the first phase, and connects the routers to it. */
    static Wan start(Sandbox sandbox, Scenario scenario, WanKind kind) {
        if (scenario.clusters().size() == 1) {
            return new NoWan();
        }
        return switch (kind) {
            case TUN -> tun(sandbox, scenario);
            case NETEM -> NetemWan.start(sandbox, scenario);
        };
    }

    private static Wan tun(Sandbox sandbox, Scenario scenario) {
        ImmutableList.Builder<WanPort> ports = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            ports.add(new WanPort(AddressPlan.wanDevice(cluster), Subnet.parse(AddressPlan.subnet(cluster))));
        }
        TunWan wan = TunWan.start(sandbox.enter(), scenario, ports.build(), AddressPlan.MTU, SEED);
        try {
            sandbox.run(NetworkScript.uplinks(scenario));
            return wan;
        } catch (RuntimeException e) {
            wan.close();
            throw e;
        }
    }

    /** Of a single cluster. */
    private static final class NoWan implements Wan {
        @Override
        public void apply(Phase phase) {
            // a phase changes links, and there are none
        }

        @Override
        public ImmutableSortedMap<ClusterPair, Long> crossedBytes() {
            return ImmutableSortedMap.of();
        }

        @Override
        public void close() {
            // nothing was started
        }
    }
}
