package org.robber.transport.job;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceSet;
import org.robber.transport.job.peer.KnownNodes;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.link.FailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failures at a joiner to rank 0, and ends the joiner.
 *
 * @param lose does without a member from now on
 */
record JoinerFailures(JoinerConnection connection, KnownNodes everyone, IntConsumer lose) implements FailureListener {
    private static final Logger LOG = LoggerFactory.getLogger(JoinerFailures.class);
    private static final String PHASE = "transfer";

    @Override
    public void here(Throwable cause) {
        Reason reason = cause instanceof RobberException told
                ? told.reason()
                : cause instanceof IOException ? Reason.DESTINATION : Reason.INTERNAL;
        connection.giveUp(new RobberException(
                reason,
                List.of(connection.rank()),
                PHASE,
                everyone.describe(connection.rank()) + " failed during '" + PHASE + "': "
                        + (cause instanceof RobberException ? cause.getMessage() : cause),
                cause));
    }

    @Override
    public void peer(int rank, String why, Set<Integer> left) {
        LOG.warn("listens to {} no longer: {}", everyone.describe(rank), why);
        lose.accept(rank);
    }

    @Override
    public void starved(PieceSet pieces) {
        // A joiner gets no losses, so it never reports that it starves: the members do.
    }
}
