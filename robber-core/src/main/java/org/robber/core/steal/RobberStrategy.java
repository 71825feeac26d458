package org.robber.core.steal;

import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyOptions;

/** Robber: the default strategy. Found by its name, {@value #NAME}. */
public final class RobberStrategy extends StealingStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "robber";

    public RobberStrategy() {
        this(StrategyOptions.NONE);
    }

    private RobberStrategy(StrategyOptions options) {
        super(NAME, options);
    }

    @Override
    public MulticastStrategy with(StrategyOptions chosen) {
        return new RobberStrategy(chosen);
    }

    @Override
    protected MulticastNode createNode(NodeSetup setup, StealingVariant variant) {
        return StealingNode.ofRobber(setup, variant);
    }
}
