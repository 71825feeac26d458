package org.robber;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

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

    /**
     * Brings what remains of the roots' buffers to all nodes. Returns when every node has it, and the buffer may be changed. Buffers are heap
     * or direct, and of the same size everywhere; their positions do not change.
     *
     * @param data read at the roots, written everywhere else
     * @param roots one rank, or several that have the same data, which share the work; the same on every node
     * @throws IllegalArgumentException if this node's arguments cannot be right; nothing is sent then
     * @throws RobberException if the arguments differ between nodes, a node is lost, or several roots have different data
     */
    void bcast(ByteBuffer data, int... roots);

    /**
     * Brings the parts of all nodes to all nodes. Returns when every node has all, and the buffers may be changed. As {@link #bcast} otherwise.
     *
     * @param part what remains of it is this node's part, of the same size everywhere
     * @param all gets the parts by rank; {@code size()} times as large as a part. The part may be a slice of it
     */
    void allGather(ByteBuffer part, ByteBuffer all);

    /**
     * Brings the parts of all nodes to the root. As {@link #allGather} otherwise.
     *
     * @param all gets the parts by rank at the root; not used elsewhere, and may be null there
     */
    void gather(ByteBuffer part, @Nullable ByteBuffer all, int root);

    /**
     * Brings to each node its part, by rank, of what the root has. As {@link #allGather} otherwise.
     *
     * @param all what the root has: {@code size()} times as large as a part; not used elsewhere, and may be null there
     * @param part gets this node's part
     */
    void scatter(@Nullable ByteBuffer all, ByteBuffer part, int root);

    /**
     * Brings to each node its part, by rank, of what every node has. As {@link #allGather} otherwise.
     *
     * @param out one part for each node, by rank
     * @param in gets one part from each node, by rank; of the size of {@code out}, and other memory
     */
    void allToAll(ByteBuffer out, ByteBuffer in);

    /** Opens a channel: connects to this node's peers and returns once all nodes are connected. */
    MulticastChannel multicastChannel(ChannelOptions options);

    /**
     * Ends the job everywhere with this failure; the first failure counts. Not collective. Calls in progress on any node
     * throw it.
     */
    void fail(RobberException failure);

    /** Calls for a program that runs a job on behalf of users, such as the command line. Not collective. */
    JobControl control();
}
