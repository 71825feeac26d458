package org.robber;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The nodes of a job, seen from one of them; follows MPI. All calls are collective unless said otherwise: every node makes
 * the same calls in the same order, from one thread at a time. Calls that don't match are detected and named in a {@link
 * RobberException} on every node.
 */
public interface Communicator {

    /** This node, 0..{@link #size}-1. Not collective. */
    int rank();

    /** How many nodes there are. Not collective. */
    int size();

    /** Names of the clusters, in the order in which they first appear by rank. Not collective. */
    List<String> clusters();

    /** The number of the cluster that a node belongs to: an index into {@link #clusters}. Not collective. */
    int clusterOf(int rank);

    /** The node as people see it: cluster and index in it, such as {@code B-3}. Not collective. */
    String nodeName(int rank);

    /** The host that a node runs on. Not collective. */
    String hostName(int rank);

    /** The size of pieces that channels choose for so many bytes, unless they are told one. Not collective. */
    int automaticPieceBytes(long totalBytes);

    /** Returns once every node has called it. */
    void barrier();

    /**
     * Returns once every node has called it, and is the last call that needs them all: from then on a node that is lost, or
     * fails, does not end the job; later calls go on without it. Rank 0 is needed to the end. For nodes that have nothing left
     * to do for each other but to say how they ended.
     *
     * @param released run at rank 0, on a thread that must not be kept, when everyone has come and before anyone goes on
     */
    void lastBarrier(Runnable released);

    /**
     * At rank 0: from now on, nodes other than rank 0 that are lost, or give up, do not end the job; all calls go on without
     * them. So does a channel whose {@link ChannelOptions#onLoss} allows it. Not collective.
     */
    void goOnWithoutLost();

    /**
     * The nodes that the job goes on without, and why. Complete as to all that happened before the last collective call
     * returned. Not collective.
     */
    Map<Integer, RobberException> lost();

    /**
     * Tells the listener of each node that the job goes on without, and why; at once, of those before. Some may be told twice. Not
     * collective.
     *
     * @param listener called from a thread of the job's own; must not block
     */
    void onLost(BiConsumer<Integer, RobberException> listener);

    /**
     * At rank 0: the job goes on without these nodes, each of which fails for this reason; of no effect on those that are
     * lost already, and on rank 0. Not collective.
     */
    void expel(List<Integer> ranks, RobberException why);

    /**
     * At rank 0: who has not come to the end of the collective call that others wait in, this node included; nobody if there is no such call, or
     * that is not known within a second. Not collective; not for a thread of the job's own, such as listeners are called from.
     *
     * @return ranks in their order
     */
    List<Integer> absent();

    /** At rank 0: the bytes of the current or last multicast that this node has, as far as it has said. Not collective. */
    long bytesDone(int rank);

    /**
     * This node can't go on: all its calls fail with this, and the others go on if the job allows it; else the job fails.
     * At rank 0 always the latter. Not collective.
     */
    void giveUp(RobberException failure);

    /** At rank 0: tells those that had to give up with which code the job has ended. Not collective. */
    void conclude(int exitCode);

    /**
     * At a node that had to give up: waits until the job has ended without it.
     *
     * @return what {@link #conclude} said; empty if rank 0 is gone or does not know of this node any more
     */
    OptionalInt awaitConclusion();

    /**
     * At rank 0, after the {@link MulticastChannel#flush} of a multicast that nodes may have joined: tells these that they may use what
     * they got, and waits until each has said what became of it, no longer than a multicast may stand still. From then on nobody can join.
     * Not collective.
     *
     * @return all that have joined, by rank, also those that were lost
     */
    List<JoinedNode> releaseJoiners();

    /**
     * At rank 0: the job goes on without joiners that lack something; each fails for this reason. Those that do not, have little time
     * from then on to say what became of what they got. Not collective.
     *
     * @return whether all members have everything, and only joiners were waited for
     */
    boolean dropJoiners(RobberException why);

    /**
     * Brings something small (at most a MiB a node, and in all) to rank 0.
     *
     * @return at rank 0 the payloads of all, by rank, empty for nodes that are {@link #lost}; elsewhere an empty list
     */
    List<byte[]> gather(byte[] payload);

    /**
     * Brings something small (at most a MiB) from rank 0 to all through the control connections; for anything larger
     * there is {@link MulticastChannel}.
     *
     * @param payload used at rank 0 only
     * @return rank 0's payload, on every node
     */
    byte[] broadcast(byte[] payload);

    /** Opens a channel: connects to this node's peers and returns once all nodes are connected. */
    MulticastChannel multicastChannel(ChannelOptions options);

    /**
     * Ends the job everywhere with this failure; the first failure counts. Not collective. Calls in progress on any node
     * throw it.
     */
    void fail(RobberException failure);

    /**
     * At rank 0: tells the listener how far all nodes are, a few times a second. Not collective. If no multicast is under way, how
     * far they came with the last one is forgotten, for {@link #bytesDone} also.
     */
    void onProgress(Consumer<JobProgress> listener);

    /**
     * How far the job is.
     *
     * @param bytesDone bytes that are verified, summed over the receiving nodes
     * @param bytesTotal what {@code bytesDone} will be in the end
     * @param nodesDone receiving nodes that have everything
     * @param nodes receiving nodes
     * @param late receiving nodes that lack something, by rank
     */
    record JobProgress(long bytesDone, long bytesTotal, int nodesDone, int nodes, List<Integer> late) {}
}
