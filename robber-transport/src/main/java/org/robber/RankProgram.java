package org.robber;

/** The program of one node of a job; see {@code Robber.local}. */
@FunctionalInterface
public interface RankProgram {

    /** Runs as one node. */
    void run(Communicator world) throws Exception;
}
