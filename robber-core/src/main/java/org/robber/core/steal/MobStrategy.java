package org.robber.core.steal;

import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyOptions;

/**
 * MOB: as Robber, but no work is stolen. A node steals its share of the pieces from other clusters, whatever its line is like,
 * and gets all others from cluster mates. Found by its name, {@value #NAME}.
 *
 * <p>Source: den Burger and Kielmann, "MOB: Zero-configuration High-throughput Multicasting for Grid Applications", HPDC
 * 2007, pp. 159-168.
 */
public final class MobStrategy extends StealingStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "mob";

    public MobStrategy() {
        this(StrategyOptions.NONE);
    }

    private MobStrategy(StrategyOptions options) {
        super(NAME, options);
    }

    @Override
    public MulticastStrategy with(StrategyOptions chosen) {
        return new MobStrategy(chosen);
    }

    @Override
    protected MulticastNode createNode(NodeSetup setup, StealingVariant variant) {
        return StealingNode.ofMob(setup, variant);
    }
}
