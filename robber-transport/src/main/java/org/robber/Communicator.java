package org.robber;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A group of nodes of a job, seen from one of them; follows MPI. {@link Robber#world} is the group of all.
 *
 * <p>Collective calls are made by every node of the group, in the same order. One thread at a time may begin them; a second one, and one that
 * uses a closed communicator, get a {@link RobberException} of reason {@link RobberException.Reason#USAGE}, and the job goes on. Calls that do not match are
 * named in a {@link RobberException} of reason {@link RobberException.Reason#USAGE} on every node. Calls of different communicators may
 * overlap.
 *
 * <p><b>Data</b> are any {@link java.nio.Buffer}, heap or direct: what remains of it, and its position does not change; an array of {@code byte},
 * {@code char}, {@code short}, {@code int}, {@code long}, {@code float} or {@code double}; or a {@link Storage} of bytes. Sizes count elements. All nodes
 * of a call use elements of one type. What a call reads and what it writes do not overlap, unless the call says so. Overlaps that
 * can be seen are refused. Those of storages cannot, nor those of buffers in the heap that are read-only or views, as of {@link java.nio.ByteBuffer#asFloatBuffer}.
 *
 * <p><b>Blocking and not.</b> A call such as {@link #bcast} returns when every node has its data, and the buffers may be changed. Small calls
 * may return earlier: when this node has its data, and what it has given is on its way. They have at most 16 MiB inside a cluster. One cluster has at most 256 KiB for another,
 * or 512 KiB in scatter, gather and allToAll. A call such as {@link #iBcast} returns at once; the {@link Operation} ends when the other would return.
 *
 * <p><b>Failures.</b> Arguments that cannot be right at this node throw {@link IllegalArgumentException} before anything is sent. The loss of a node ends
 * the calls of its groups, and of all groups that were made from them, on all others with {@link RobberException.Reason#NETWORK}. What they
 * had to write is undefined then. The others may go on with {@link #shrink}: the new group depends on its members alone. Exceptions name
 * nodes by their rank among all nodes of the job.
 */
public interface Communicator extends AutoCloseable {
    /** The most ranges that a node may name in {@link #bcast(Object, List)}. */
    int MOST_RANGES = 256;

    /** This node, 0..{@link #size}-1. Not collective. */
    int rank();

    /** How many nodes there are. Not collective. */
    int size();

    /** The rank that a node of this group has among all nodes of the job. Not collective. */
    int worldRank(int rank);

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

    /** The nodes of this group that are lost, as far as this node knows, and why. Not collective. */
    Map<Integer, RobberException> lost();

    /**
     * Tells the listener of each node of this group that is lost, and why; at once, of those before. Some may be told twice. Not collective.
     *
     * @param listener called from a thread of the job's own; must not block. If it throws, that is logged, and the job goes on
     */
    void onLost(BiConsumer<Integer, RobberException> listener);

    /** Returns once every node has called it. */
    default void barrier() {
        iBarrier().await();
    }

    /** As {@link #barrier}. */
    Operation<Void> iBarrier();

    /**
     * Brings data to all nodes.
     *
     * @param data read at the roots, written everywhere else; of the same size everywhere
     * @param roots one rank, or several that have the same data and share the work; the same on every node
     */
    default void bcast(Object data, int... roots) {
        iBcast(data, roots).await();
    }

    /** As {@link #bcast}. */
    Operation<Void> iBcast(Object data, int... roots);

    /**
     * Brings data to all nodes, of which only the root knows the size.
     *
     * @param data read at the root. Elsewhere a place that may be larger: its first elements are written. If it is smaller at any node, the job
     *     fails and the message names that node
     * @return how many elements the root has
     */
    default long bcastUpTo(Object data, int root) {
        return iBcastUpTo(data, root).await();
    }

    /** As {@link #bcastUpTo}. */
    Operation<Long> iBcastUpTo(Object data, int root);

    /**
     * Brings data to all nodes, of which only the root knows the size. The others make room for it when they hear of that.
     *
     * @param data what the root has; not used elsewhere, and may be null there
     * @param allocator makes room for so many elements, such as {@code float[]::new} or {@code ByteBuffer::allocateDirect}; called on a thread
     *     of the job's own. Not used at the root
     * @return what the root has given, or the allocator has made
     */
    default <T> T bcast(@Nullable T data, IntFunction<? extends T> allocator, int root) {
        return this.<T>iBcast(data, allocator, root).await();
    }

    /** As {@link #bcast(Object, IntFunction, int)}. */
    <T> Operation<T> iBcast(@Nullable T data, IntFunction<? extends T> allocator, int root);

    /** As {@link #bcast(Object, IntFunction, int)}, for bytes of any number. */
    default Storage bcastStorage(@Nullable Storage data, LongFunction<? extends Storage> allocator, int root) {
        return iBcastStorage(data, allocator, root).await();
    }

    /** As {@link #bcastStorage}. */
    Operation<Storage> iBcastStorage(@Nullable Storage data, LongFunction<? extends Storage> allocator, int root);

    /**
     * Brings data to all nodes, of which each node has some ranges: striping. Nodes that have the same elements share the work.
     *
     * @param data read in the ranges that are present, written everywhere else; of the same size everywhere
     * @param present the ranges that this node has: at most {@value #MOST_RANGES}. All nodes together have everything, or the job fails
     */
    default void bcast(Object data, List<ElementRange> present) {
        iBcast(data, present).await();
    }

    /** As {@link #bcast(Object, List)}. */
    Operation<Void> iBcast(Object data, List<ElementRange> present);

    /**
     * Brings the parts of all nodes to all nodes.
     *
     * @param part this node's part, of the same size everywhere
     * @param all gets the parts by rank; {@code size()} times as large as a part. The part may be its slice in the place of this rank
     */
    default void allGather(Object part, Object all) {
        iAllGather(part, all).await();
    }

    /** As {@link #allGather(Object, Object)}. */
    Operation<Void> iAllGather(Object part, Object all);

    /**
     * Brings parts of different sizes to all nodes.
     *
     * @param parts sizes of all parts, and their places in {@code all}. Places may differ between nodes
     */
    default void allGather(Object part, Object all, Parts parts) {
        iAllGather(part, all, parts).await();
    }

    /** As {@link #allGather(Object, Object, Parts)}. */
    Operation<Void> iAllGather(Object part, Object all, Parts parts);

    /**
     * Brings the parts of all nodes to the root.
     *
     * @param part this node's part, of the same size everywhere
     * @param all gets the parts by rank at the root; not used elsewhere, and may be null there
     */
    default void gather(Object part, @Nullable Object all, int root) {
        iGather(part, all, root).await();
    }

    /** As {@link #gather(Object, Object, int)}. */
    Operation<Void> iGather(Object part, @Nullable Object all, int root);

    /**
     * Brings parts of different sizes to the root.
     *
     * @param all gets the parts at the root; not used elsewhere, and may be null there
     * @param parts sizes of all parts and their places in {@code all} at the root; not used elsewhere, and may be null there
     */
    default void gather(Object part, @Nullable Object all, @Nullable Parts parts, int root) {
        iGather(part, all, parts, root).await();
    }

    /** As {@link #gather(Object, Object, Parts, int)}. */
    Operation<Void> iGather(Object part, @Nullable Object all, @Nullable Parts parts, int root);

    /**
     * Brings to each node its part, by rank, of what the root has.
     *
     * @param all what the root has: {@code size()} times as large as a part; not used elsewhere, and may be null there
     * @param part gets this node's part
     */
    default void scatter(@Nullable Object all, Object part, int root) {
        iScatter(all, part, root).await();
    }

    /** As {@link #scatter(Object, Object, int)}. */
    Operation<Void> iScatter(@Nullable Object all, Object part, int root);

    /**
     * Brings to each node its part, of a size of its own, of what the root has.
     *
     * @param all what the root has; not used elsewhere, and may be null there
     * @param parts sizes of all parts and their places in {@code all} at the root; not used elsewhere, and may be null there
     * @param part gets this node's part
     */
    default void scatter(@Nullable Object all, @Nullable Parts parts, Object part, int root) {
        iScatter(all, parts, part, root).await();
    }

    /** As {@link #scatter(Object, Parts, Object, int)}. */
    Operation<Void> iScatter(@Nullable Object all, @Nullable Parts parts, Object part, int root);

    /**
     * Brings to each node its part, by rank, of what every node has.
     *
     * @param out one part for each node, by rank
     * @param in gets one part from each node, by rank; of the size of {@code out}, and other memory
     */
    default void allToAll(Object out, Object in) {
        iAllToAll(out, in).await();
    }

    /** As {@link #allToAll(Object, Object)}. */
    Operation<Void> iAllToAll(Object out, Object in);

    /**
     * Brings to each node its part, of any size, of what every node has.
     *
     * @param outParts the parts for each node, and their places in {@code out}
     * @param inParts the parts from each node, and their places in {@code in}
     */
    default void allToAll(Object out, Parts outParts, Object in, Parts inParts) {
        iAllToAll(out, outParts, in, inParts).await();
    }

    /** As {@link #allToAll(Object, Parts, Object, Parts)}. */
    Operation<Void> iAllToAll(Object out, Parts outParts, Object in, Parts inParts);

    /**
     * Combines the data of all nodes at the root.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets the result at the root, of the same size; may be {@code in}. Not used elsewhere, and may be null there
     */
    default void reduce(Object in, @Nullable Object out, Op op, int root) {
        iReduce(in, out, op, root).await();
    }

    /** As {@link #reduce}. */
    Operation<Void> iReduce(Object in, @Nullable Object out, Op op, int root);

    /**
     * Combines the data of all nodes, for all nodes.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets the result, of the same size; may be {@code in}
     */
    default void allReduce(Object in, Object out, Op op) {
        iAllReduce(in, out, op).await();
    }

    /** As {@link #allReduce(Object, Object, Op)}. */
    Operation<Void> iAllReduce(Object in, Object out, Op op);

    /** As {@link #allReduce(Object, Object, Op)}; the result takes the place of what this node contributes. */
    default void allReduce(Object data, Op op) {
        iAllReduce(data, op).await();
    }

    /** As {@link #allReduce(Object, Op)}. */
    default Operation<Void> iAllReduce(Object data, Op op) {
        return iAllReduce(data, data, op);
    }

    /**
     * Combines the data of all nodes; each node gets a block of the result. Blocks are of equal size, in the order of ranks.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets this node's block: a {@code size()}-th of {@code in}, and other memory
     */
    default void reduceScatter(Object in, Object out, Op op) {
        iReduceScatter(in, out, op).await();
    }

    /** As {@link #reduceScatter(Object, Object, Op)}. */
    Operation<Void> iReduceScatter(Object in, Object out, Op op);

    /**
     * Combines the data of all nodes; each node gets a block of the result. Blocks are one after the other, in the order of ranks.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets this node's block; other memory than {@code in}
     * @param counts the number of elements of each rank's block; the same on every node
     */
    default void reduceScatter(Object in, Object out, int[] counts, Op op) {
        iReduceScatter(in, out, counts, op).await();
    }

    /** As {@link #reduceScatter(Object, Object, int[], Op)}. */
    Operation<Void> iReduceScatter(Object in, Object out, int[] counts, Op op);

    /**
     * Combines the data of all ranks up to that of this node.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets the result, of the same size; may be {@code in}
     */
    default void scan(Object in, Object out, Op op) {
        iScan(in, out, op).await();
    }

    /** As {@link #scan}. */
    Operation<Void> iScan(Object in, Object out, Op op);

    /**
     * Combines the data of all ranks below that of this node.
     *
     * @param in what this node contributes, of the same size everywhere
     * @param out gets the result, of the same size; may be {@code in}. Not changed at rank 0
     */
    default void exScan(Object in, Object out, Op op) {
        iExScan(in, out, op).await();
    }

    /** As {@link #exScan}. */
    Operation<Void> iExScan(Object in, Object out, Op op);

    /**
     * Divides the group. Collective.
     *
     * @param colour nodes of one colour get one communicator; negative for none
     * @param key orders the ranks in the new group; equal keys are ordered by their ranks in this one
     * @return empty if the colour is negative
     */
    Optional<Communicator> split(int colour, int key);

    /** One communicator for each cluster. Collective. */
    Communicator splitByCluster();

    /** One communicator for each host. Collective. */
    Communicator splitByHost();

    /**
     * A communicator of some nodes. Collective, also for those that are no members of it.
     *
     * @param ranks the members, in the order of their new ranks; the same on every node
     * @return empty if this node is no member
     */
    Optional<Communicator> group(int... ranks);

    /**
     * A communicator of one node of each cluster: the first by rank. Collective.
     *
     * @return empty if this node is another
     */
    Optional<Communicator> leaders();

    /**
     * A communicator of the nodes of this group that are not lost. Collective for these; returns when they agree. Other calls of this group
     * that have not ended fail.
     */
    Communicator shrink();

    /**
     * A communicator of the same nodes, whose calls have other options. Collective. Calls of little data do not depend on them. Strategies
     * that pack trees ({@code balanced}, {@code fpfr}, {@code max-bottleneck}) do only broadcasts from one root; other calls then use
     * {@code robber}. Nodes of other trees keep what they pass on until the call ends, in memory without a limit.
     *
     * @param options the same on every node but for the memory; {@link ChannelOptions#onLoss} is for channels alone
     * @throws IllegalArgumentException if there is no such strategy or digest, or a piece is larger than the memory; thrown before anything is sent
     */
    Communicator withOptions(ChannelOptions options);

    /**
     * Opens a stream from the root to all other nodes. Collective. Other calls may be made while it is open.
     *
     * @param root the node that writes
     */
    default MulticastStream openStream(int root) {
        return openStream(root, StreamOptions.defaults());
    }

    /** As {@link #openStream(int)}. */
    MulticastStream openStream(int root, StreamOptions options);

    /**
     * Opens a channel. Collective. A channel of {@link Robber#world} connects to this node's peers, and returns once all nodes are connected. That
     * of another communicator connects with its first multicast.
     *
     * @param options the same on every node but for the memory
     * @throws IllegalArgumentException if there is no such strategy or digest, or a piece is larger than the memory; thrown before anything is sent
     */
    MulticastChannel multicastChannel(ChannelOptions options);

    /**
     * Ends the job everywhere with this failure; the first failure counts. Not collective. Calls in progress on any node
     * throw it.
     */
    void fail(RobberException failure);

    /**
     * How long blocking calls of this communicator, of its channels, and of those that are made from it later, may take: no limit at first. A call that has not ended by then
     * throws {@link RobberException.Reason#DEADLINE}. Other nodes wait for this one in that call, so it has no further part in the job. To wait
     * for some time and go on, use {@link Operation#await(Duration)}. Streams have no limit. Not collective.
     */
    void limitCalls(Duration limit);

    /**
     * Gives back the connections of this group; calls of it are refused from now on. Collective: returns when all members have called it. If one is lost, it
     * returns all the same. Of no effect on {@link Robber#world}, and if it has been called before.
     */
    @Override
    void close();

    /** Calls for a program that runs a job on behalf of users, such as the command line. Not collective. */
    JobControl control();
}
