package org.robber;

import java.util.List;
import java.util.function.IntConsumer;

/** A way to join a job, found through {@link java.util.ServiceLoader}. Stateless. */
public interface Transport {

    /** The name by which users choose it, such as {@code netty}. */
    String name();

    /**
     * Joins a job and returns once all its nodes are there.
     *
     * @param listening at rank 0: told the port at which it listens, before the others are waited for
     * @throws RobberException if too few nodes come in time, or this node is refused
     */
    JoinedJob join(JobOptions options, IntConsumer listening);

    /**
     * Joins a job that runs already; see {@link Joiner#join}.
     *
     * @throws RobberException if this transport can't do that, the job can't be reached, or has nothing to give any more
     */
    default Joiner joinLate(JobOptions options) {
        throw new RobberException(
                RobberException.Reason.USAGE, List.of(), "join", "transport '" + name() + "' has no late joining");
    }

    /** A job that this node takes part in. */
    interface JoinedJob extends AutoCloseable {
        Communicator world();

        /** Leaves the job. */
        @Override
        void close();
    }
}
