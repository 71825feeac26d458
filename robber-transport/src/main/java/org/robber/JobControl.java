package org.robber;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Calls for a program that runs a job on behalf of users, beyond those that nodes make of each other by a {@link Communicator}: to
 * decide who takes part, to follow the progress of all nodes, and to end the job with one result. Most methods are for rank 0. {@link #barrier},
 * {@link #gather}, {@link #broadcast}, {@link #agree}, {@link #lastBarrier} and {@link #endProgram} are collective.
 */
public interface JobControl {

    /** Returns once every node has called it that is not {@link Communicator#lost}. */
    void barrier();

    /**
     * Brings something small (at most a MiB a node, and in all) to rank 0.
     *
     * @return at rank 0 the payloads of all, by rank, empty for nodes that are {@link Communicator#lost}; elsewhere an empty list
     */
    List<byte[]> gather(byte[] payload);

    /**
     * Brings something small (at most a MiB) from rank 0 to all nodes that are not {@link Communicator#lost}.
     *
     * @param payload used at rank 0 only
     * @return rank 0's payload, on every node
     */
    byte[] broadcast(byte[] payload);

    /**
     * A {@link #gather} and a {@link #broadcast} of what rank 0 makes of it, in the time of one call.
     *
     * @param payload at most a MiB
     * @param decision run at rank 0 only, once, when all have come: gets what {@link #gather} returns, and makes a MiB at most. It runs on a
     *     thread that must not be kept, and makes no collective calls. An exception of it ends the job
     * @return what the decision was, on every node
     */
    byte[] agree(byte[] payload, Function<List<byte[]>, byte[]> decision);

    /**
     * Returns once every node has called it, and is the last call that needs them all: from then on a node that is lost, or
     * fails, does not end the job; later calls go on without it. Rank 0 is needed to the end. For nodes that have nothing left
     * to do for each other but to say how they ended.
     *
     * @param released run at rank 0, on a thread that must not be kept, when everyone has come and before anyone goes on
     */
    void lastBarrier(Runnable released);

    /**
     * The program of this node makes no more calls. Returns once that is so at every node that is not {@link Communicator#lost}. Nodes that still wait for a
     * call of this one fail with {@code USAGE}, and so does this one.
     */
    void endProgram();

    /** At rank 0: how the clusters of the job were found, for people, such as {@code 2 subnets, round trips of at most 1 ms inside}; empty elsewhere. */
    String clusterOrigin();

    /**
     * At rank 0: from now on, nodes other than rank 0 that are lost, or give up, do not end the job; all calls go on without
     * them. So does a channel whose {@link ChannelOptions#onLoss} allows it.
     */
    void goOnWithoutLost();

    /**
     * At rank 0: the job goes on without these nodes, each of which fails for this reason; of no effect on those that are
     * lost already, and on rank 0.
     */
    void expel(List<Integer> ranks, RobberException why);

    /**
     * At rank 0: the nodes that have not ended the collective call in which others wait, this node included. The list is empty if there is no such
     * call, or if rank 0 does not know within a second. Not for a thread that calls listeners.
     *
     * @return ranks in their order
     */
    List<Integer> absent();

    /** Bytes that this node has passed on so far between nodes that cannot connect to each other, as they came: encrypted if the nodes encrypt. */
    long bytesRelayed();

    /** At rank 0: the bytes of the current or last multicast that this node has, as far as it has said. */
    long bytesDone(int rank);

    /**
     * At rank 0: the verified bytes of the current or last multicast that a node has received from each cluster, as far as it has
     * said.
     *
     * @param rank of the node
     * @return by the number of the cluster; without clusters from which none came
     */
    Map<Integer, Long> bytesReceived(int rank);

    /**
     * This node can't go on: all its calls fail with this, and the others go on if the job allows it; else the job fails.
     * At rank 0 always the latter.
     */
    void giveUp(RobberException failure);

    /**
     * Runs the listener when the job, or this node's part in it, fails: on a thread that must not be kept; at once if that has happened. For programs that
     * wait for something else than the job.
     */
    void onFailure(Consumer<RobberException> listener);

    /** At rank 0: sends the code with which the job has ended to nodes that had to give up. */
    void conclude(int exitCode);

    /**
     * At a node that had to give up: waits until the job has ended without it.
     *
     * @return the code that was given to {@link #conclude}; empty if rank 0 is gone or does not know of this node any more
     */
    OptionalInt awaitConclusion();

    /**
     * At rank 0: no node can join this job, not now and not later. Nodes that ask to join are told so at once. Otherwise they would wait until the job ends.
     *
     * @param why for people
     */
    void refuseJoiners(String why);

    /**
     * At rank 0, after the {@link MulticastChannel#flush} of a multicast that nodes may have joined: tells the joiners that
     * their copies may be used, and waits for the outcome of each, at most for the stall timeout. From then on no node can join.
     *
     * @return all that have joined, by rank, also those that were lost
     */
    List<JoinedNode> releaseJoiners();

    /**
     * At rank 0: the job goes on without joiners that lack something; each fails for this reason. Those that do not, have little time
     * from then on to send their results.
     *
     * @return whether all members have everything, and only joiners were waited for
     */
    boolean dropJoiners(RobberException why);

    /**
     * At rank 0: tells the listener how far all nodes are, a few times a second. If no multicast is under way, how
     * far they came with the last one is forgotten, for {@link #bytesDone} and {@link #bytesReceived} also.
     */
    void onProgress(Consumer<JobProgress> listener);

    /**
     * How far the job is.
     *
     * @param bytesDone bytes that are verified, summed over the receiving nodes
     * @param bytesTotal what {@code bytesDone} will be in the end; a program that sends a stream puts {@link #UNKNOWN} here
     * @param nodesDone receiving nodes that have everything
     * @param nodes receiving nodes
     * @param late receiving nodes that lack something, by rank
     */
    record JobProgress(long bytesDone, long bytesTotal, int nodesDone, int nodes, List<Integer> late) {
        /** In place of the number of bytes of a stream that has not ended. */
        public static final long UNKNOWN = -1;
    }
}
