package org.robber.transport.collective.exchange;

import java.util.List;

/** The pieces that this node produces from others. Thread-safe. */
public interface Products {

    /** The products whose inputs are all here from the start. */
    List<Runnable> atStart(Produced produced);

    /**
     * A piece is here, because it came or was produced.
     *
     * @return the work that can be done now, in any order, off event loops. It throws a {@link org.robber.RobberException} if an operation of the
     *     user fails
     */
    List<Runnable> pieceCame(int piece, Produced produced);

    /** Is told of each product. */
    interface Produced {
        /** The piece is stored, and can be read. */
        void produced(int piece);
    }
}
