package org.robber.emulation.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A strategy, but one node is told what to say: each of its actions is replaced by others. */
record Impostor(MulticastStrategy real, int rank, BiFunction<NodeSetup, Action, List<Action>> change)
        implements MulticastStrategy {
    @Override
    public String name() {
        return real.name();
    }

    @Override
    public StrategyLimits limits(NodeSetup setup) {
        return real.limits(setup);
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return real.planOverlay(topology, seed);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        MulticastNode node = real.createNode(setup);
        return setup.rank() == rank ? new Changed(setup, node) : node;
    }

    private final class Changed implements MulticastNode {
        private final NodeSetup setup;
        private final MulticastNode node;

        Changed(NodeSetup setup, MulticastNode node) {
            this.setup = setup;
            this.node = node;
        }

        private List<Action> changed(List<Action> actions) {
            List<Action> changed = new ArrayList<>();
            actions.forEach(action -> changed.addAll(change.apply(setup, action)));
            return changed;
        }

        @Override
        public List<Action> start(long nowNanos) {
            return changed(node.start(nowNanos));
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            return changed(node.handle(nowNanos, event));
        }

        @Override
        public PieceSet possession() {
            return node.possession();
        }

        @Override
        public NodeCounters counters() {
            return node.counters();
        }
    }
}
