package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;

/** Stages that all nodes of a cluster share: out of it, into it, and inside; null for no limit. */
record SharedLines(
        @Nullable Stage accessUp,
        @Nullable Stage accessDown,
        @Nullable Stage lan) {}
