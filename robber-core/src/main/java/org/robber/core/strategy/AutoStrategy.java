package org.robber.core.strategy;

import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.OverlayTree;
import org.robber.core.steal.RobberStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * Chooses for each multicast what suits its size and the number of nodes. Found by its name, {@value #NAME}. All choices
 * use the connections of Robber, so that a channel need not know beforehand what it will carry.
 */
public final class AutoStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "auto";

    /**
     * Up to this size, a tree ends before Robber has exchanged desires and offers. The published crossover of MOB and a tree
     * between clusters is about 512 KB.
     */
    public static final long LARGEST_TREE_BYTES = 512 << 10;

    /** With this many nodes there is one receiver, and nothing to gain from anything but a plain stream. */
    public static final int NODES_OF_A_STREAM = 2;

    private final MulticastStrategy robber = new RobberStrategy();
    private final OverlayTree tree = new OverlayTree();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean steals() {
        return true;
    }

    @Override
    public StrategyLimits limits(NodeSetup setup) {
        return prefersTree(setup) ? OverlayTree.limits() : robber.limits(setup);
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return robber.planOverlay(topology, seed);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return prefersTree(setup) ? tree.createNode(setup) : robber.createNode(setup);
    }

    private static boolean prefersTree(NodeSetup setup) {
        boolean isSmall = setup.topology().size() <= NODES_OF_A_STREAM || setup.totalBytes() <= LARGEST_TREE_BYTES;
        return isSmall && setup.placement().hasSingleRoot();
    }
}
