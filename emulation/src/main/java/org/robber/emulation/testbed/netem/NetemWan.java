package org.robber.emulation.testbed.netem;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.network.NetworkScript;
import org.robber.emulation.testbed.sandbox.Sandbox;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.wan.Wan;

/** A wide-area network in the kernel, where it has netem. */
public final class NetemWan implements Wan {

    private final Sandbox sandbox;
    private final Scenario scenario;

    private NetemWan(Sandbox sandbox, Scenario scenario) {
        this.sandbox = sandbox;
        this.scenario = scenario;
    }

    /** Commands that only test whether the kernel has netem. */
    private static final ImmutableList<String> PROBE =
            ImmutableList.of("tc qdisc add dev lo root netem delay 1ms", "tc qdisc del dev lo root");

    /**
     * Makes one between routers that exist, in the state of the first phase.
     *
     * @throws TestbedException if the kernel has no netem and the scenario needs it, or refuses something else
     */
    public static NetemWan start(Sandbox sandbox, Scenario scenario) {
        if (NetemScript.needsNetem(scenario) && !sandbox.succeeds(PROBE)) {
            throw new TestbedException(
                    "this kernel has no netem: run modprobe sch_netem (package linux-modules-extra or"
                            + " kernel-modules-extra), or use --wan=tun");
        }
        sandbox.run(NetemScript.core(scenario));
        sandbox.run(NetworkScript.uplinks(scenario));
        sandbox.run(NetemScript.routers(scenario));
        sandbox.run(NetemScript.links(scenario, scenario.phases().get(0), /* areNew= */ true));
        return new NetemWan(sandbox, scenario);
    }

    @Override
    public void apply(Phase phase) {
        sandbox.run(NetemScript.links(scenario, phase, /* areNew= */ false));
    }

    @Override
    public ImmutableSortedMap<ClusterPair, Long> crossedBytes() {
        String output = sandbox.run(NetemScript.counts(scenario));
        return ImmutableSortedMap.copyOf(Maps.filterKeys(
                NetemScript.bytes(output), scenario.phases().get(0).links()::containsKey));
    }

    @Override
    public void close() {
        // its devices go with the sandbox
    }
}
