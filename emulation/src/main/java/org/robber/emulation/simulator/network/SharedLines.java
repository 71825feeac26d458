package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;

/** Limits of the traffic of all nodes of a cluster: out of it, into it, and inside; null where there is none. */
record SharedLines(
        @Nullable Stage accessUp,
        @Nullable Stage accessDown,
        @Nullable Stage lan) {}
