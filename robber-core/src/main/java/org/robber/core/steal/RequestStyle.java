package org.robber.core.steal;

import com.google.common.collect.ImmutableSortedMap;
import org.robber.core.node.StrategyOptions;
import org.robber.core.peer.RequestRateEstimator;
import org.robber.core.topology.WorkDivision;

/** How a node asks its peers for pieces. */
public enum RequestStyle {
    /** As published: a fixed number of requests outstanding, for random ones of the pieces on offer. */
    PUBLISHED,

    /**
     * As many requests as keep the line busy ({@link RequestRateEstimator}); in other clusters for pieces that few others offer ({@link
     * ScarcestPick}).
     */
    ADAPTIVE;

    private static final String PUBLISHED_FLAG = "published";

    /** The option by which users choose a style; {@link #ADAPTIVE} is what they get without it. */
    public static final ImmutableSortedMap<String, String> OPTIONS =
            ImmutableSortedMap.of(PUBLISHED_FLAG, "ask as published: five requests a line, for any piece on offer");

    /** How clusters of nodes with this style divide their work: the published style keeps the published division. */
    public WorkDivision division() {
        return this == PUBLISHED ? WorkDivision.ALL_MEMBERS : WorkDivision.GATEWAYS;
    }

    /** The style that was chosen. */
    public static RequestStyle of(StrategyOptions options) {
        return options.flags().contains(PUBLISHED_FLAG) ? PUBLISHED : ADAPTIVE;
    }
}
