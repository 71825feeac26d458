package org.robber.transport.job.peer;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** The nodes of the next multicast of a channel, and the connections between them: the same at every node. Not thread-safe. */
public final class ChannelMembers {
    private final JobContext context;
    private final MulticastStrategy strategy;
    private final long seed;
    private MulticastGroup group;
    private Overlay overlay;
    private Map<Integer, RobberException> missing = Map.of();

    /** All nodes of the job. */
    public ChannelMembers(JobContext context, MulticastStrategy strategy, long channelNumber) {
        this.context = context;
        this.strategy = strategy;
        this.seed = context.controlPlane().roster().seed() + channelNumber;
        this.group = MulticastGroup.without(Set.of(), context.topology());
        this.overlay = plan();
    }

    private Overlay plan() {
        return plan(strategy, group.topology(), seed);
    }

    /** The connections between nodes. Fails if the strategy cannot serve them. */
    public static Overlay plan(MulticastStrategy strategy, Topology topology, long seed) {
        try {
            return strategy.planOverlay(topology, seed);
        } catch (IllegalArgumentException e) {
            throw new RobberException(
                    Reason.USAGE, List.of(), "plan", "strategy " + strategy.name() + ": " + e.getMessage(), e);
        }
    }

    /** From now on without those that were lost when all met, for these reasons. */
    public void leaveOut(Set<Integer> lost, Map<Integer, RobberException> reasons) {
        Map<Integer, RobberException> missingNow = new TreeMap<>(reasons);
        missingNow.keySet().retainAll(lost);
        missingNow.keySet().retainAll(group.ranks());
        missing = Collections.unmodifiableMap(missingNow);
        if (group.ranks().stream().anyMatch(lost::contains)) {
            group = MulticastGroup.without(lost, context.topology());
            overlay = plan();
        }
    }

    /** The nodes that the last {@link #leaveOut} has left out, and why they were lost. */
    public Map<Integer, RobberException> missing() {
        return missing;
    }

    /** The members that are left. */
    public MulticastGroup group() {
        return group;
    }

    /** The connections among them. */
    public Overlay overlay() {
        return overlay;
    }
}
