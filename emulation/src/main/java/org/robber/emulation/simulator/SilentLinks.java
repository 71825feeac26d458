package org.robber.emulation.simulator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.robber.core.node.Event;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.network.Network;

/** Tells nodes of peers behind a link that passes nothing. The transport notices that nothing comes from these. */
final class SilentLinks {
    private final long limitNanos;
    private final Agenda agenda;
    private final Network network;
    private final List<SimulatedNode> nodes;

    /** Since when nothing passes. A connection needs both directions, so there is one entry for both. */
    private final Map<ClusterPair, Long> silentSince = new HashMap<>();

    private final Set<ClusterPair> reported = new HashSet<>();

    private SilentLinks(long limitNanos, Agenda agenda, Network network, List<SimulatedNode> nodes) {
        this.limitNanos = limitNanos;
        this.agenda = agenda;
        this.network = network;
        this.nodes = nodes;
    }

    /** Tells these nodes of links that pass nothing for so long, until they pass something again. */
    static void watch(long limitNanos, Agenda agenda, Network network, List<SimulatedNode> nodes) {
        network.links().watch(new SilentLinks(limitNanos, agenda, network, nodes)::changed);
    }

    private void changed(ClusterPair direction) {
        ClusterPair pair = direction.from() < direction.to() ? direction : direction.reversed();
        if (network.links().passes(pair) && network.links().passes(pair.reversed())) {
            silentSince.remove(pair);
            if (reported.remove(pair)) {
                tell(pair, Event.PeerRevived::new);
            }
        } else if (silentSince.putIfAbsent(pair, agenda.nowNanos()) == null) {
            agenda.at(agenda.nowNanos() + limitNanos, () -> report(pair));
        }
    }

    private void report(ClusterPair pair) {
        Long since = silentSince.get(pair);
        if (since != null && agenda.nowNanos() - since >= limitNanos && reported.add(pair)) {
            tell(pair, Event.PeerStalled::new);
        }
    }

    private void tell(ClusterPair pair, IntFunction<Event> event) {
        for (SimulatedNode receiver : nodes) {
            for (SimulatedNode sender : nodes) {
                if ((network.goes(pair, sender.rank(), receiver.rank())
                                || network.goes(pair, receiver.rank(), sender.rank()))
                        && receiver.isConnectedTo(sender.rank())) {
                    receiver.tell(event.apply(sender.rank()));
                }
            }
        }
    }
}
