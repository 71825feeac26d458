package org.robber.transport.link;

import java.util.Set;
import org.robber.core.piece.PieceSet;

/** Fails the test that uses it: no transfer of that test may fail. */
final class UnexpectedFailure implements FailureListener {
    @Override
    public void here(Throwable cause) {
        throw new AssertionError(cause);
    }

    @Override
    public void peer(int rank, String why, Set<Integer> left) {
        throw new AssertionError(why);
    }

    @Override
    public void starved(PieceSet pieces) {
        throw new AssertionError("starved");
    }
}
