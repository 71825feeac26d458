package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;

/**
 * The route of a connection's bytes.
 *
 * @param stages in the order in which bytes pass them
 * @param stagesBeforeDelay number of stages before the delay
 * @param startsAtCard whether the first stage is one of the sender's own
 * @param link the wide-area link, one of the stages; null inside a cluster
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record Route(
        Stage[] stages,
        int stagesBeforeDelay,
        boolean startsAtCard,
        @Nullable Link link) {

    /** The stage at this place, or null behind the last one. */
    @Nullable
    Stage stage(int hop) {
        return hop < stages.length ? stages[hop] : null;
    }
}
