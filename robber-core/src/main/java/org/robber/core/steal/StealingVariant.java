package org.robber.core.steal;

import com.google.common.collect.ImmutableSortedMap;
import org.robber.core.node.StrategyOptions;
import org.robber.core.peer.WindowEstimator;
import org.robber.core.topology.WorkDivision;

/** Which of the two algorithms a node runs: the published one, or the improved one. */
public enum StealingVariant {
    /** A fixed number of requests outstanding, for random ones of the pieces on offer; all members own work; only idle nodes steal. */
    PUBLISHED,

    /**
     * As many requests as keep the line busy ({@link WindowEstimator}), in other clusters for pieces that few others offer ({@link
     * ScarcestPick}); gateways own work; nodes steal also before they are idle.
     */
    IMPROVED;

    private static final String PUBLISHED_FLAG = "published";

    private static final String DIRECT_FLAG = "direct";

    /** The option by which users choose a variant, {@link #IMPROVED} is the default; and that by which they do without relays. */
    public static final ImmutableSortedMap<String, String> OPTIONS = ImmutableSortedMap.of(
            DIRECT_FLAG,
            "fetch pieces that one node wants from their owners alone",
            PUBLISHED_FLAG,
            "ask as published: five requests a line, for any piece on offer");

    /** Whether no node passes pieces on that only another one wants. */
    public static boolean isDirect(StrategyOptions options) {
        return options.flags().contains(DIRECT_FLAG);
    }

    /** How clusters divide their work. */
    public WorkDivision division() {
        return this == PUBLISHED ? WorkDivision.ALL_MEMBERS : WorkDivision.GATEWAYS;
    }

    /** The variant that was chosen. */
    public static StealingVariant of(StrategyOptions options) {
        return options.flags().contains(PUBLISHED_FLAG) ? PUBLISHED : IMPROVED;
    }
}
