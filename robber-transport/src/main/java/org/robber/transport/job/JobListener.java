package org.robber.transport.job;

import org.robber.RobberException;

/** Hears of events of a job that end calls. An event may be told twice, and by any thread. */
interface JobListener {
    /** A node was lost, and the job may go on. */
    void lost(int rank, RobberException why);

    /** The job has failed. */
    default void failed(RobberException why) {}

    /** This node leaves the job. No event of the network ends its transfers then. */
    default void left(RobberException why) {
        failed(why);
    }
}
