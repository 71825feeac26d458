package org.robber;

/** The program of one node of a job; see {@code Robber.local}. */
@FunctionalInterface
public interface RankProgram {

    /** Runs as one node. Returns once its operations have ended, and no node waits for a call of it. */
    void run(Communicator world) throws Exception;
}
