package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;

/** What the traffic of all nodes of a cluster passes: out of it, into it, and inside; null where there is no limit. */
record Border(
        @Nullable Stage accessUp,
        @Nullable Stage accessDown,
        @Nullable Stage lan) {}
