package org.robber;

/** What one node of a job does; see {@code Robber.local}. */
@FunctionalInterface
public interface RankProgram {

    /** Runs as one node. */
    void run(Communicator world) throws Exception;
}
