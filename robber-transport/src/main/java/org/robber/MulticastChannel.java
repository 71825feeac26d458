package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Brings data from one node to all others. Connections are made once, and kept for any number of multicasts in a row. All calls are collective, from
 * one thread at a time: a second one gets a {@link RobberException}.
 *
 * <p>{@code multicast} returns when all data is here and verified; this node goes on serving others in the background.
 * The data, received or sent, may be altered only after {@link #flush}, which the next {@code multicast} and {@link
 * #close} imply.
 *
 * <p>{@code imulticast} returns at once; any number may be under way. Its {@link Operation} ends when all nodes have the data, which may be altered then. A
 * node that is lost ends these at all others, as {@link Communicator} says.
 *
 * <p>A channel of {@link Robber#world} can go on without nodes that are lost ({@link ChannelOptions.OnLoss}), and can {@link #resume}. In a channel of
 * another communicator, a lost node ends the multicast at all others.
 */
public interface MulticastChannel extends AutoCloseable {

    /** Multicasts from rank 0; see {@link #multicast(Storage, int)}. */
    default void multicast(byte[] data) {
        multicast(data, 0);
    }

    /** As {@link #multicast(Storage, int)}. */
    default void multicast(byte[] data, int rootRank) {
        checkArgument(data != null, "data is null");
        multicast(ByteBuffer.wrap(data), rootRank);
    }

    /** Multicasts what remains of the buffer, whose position does not change, from rank 0. */
    default void multicast(ByteBuffer data) {
        multicast(data, 0);
    }

    /** Multicasts what remains of the buffer, whose position does not change; see {@link #multicast(Storage, int)}. */
    void multicast(ByteBuffer data, int rootRank);

    /** Multicasts from rank 0; see {@link #multicast(Storage, int)}. */
    default void multicast(Storage data) {
        multicast(data, 0);
    }

    /**
     * Multicasts the whole storage: read at the root, written everywhere else. Few bytes go through rank 0 with control messages: up to 64 KiB, counted once
     * for each node of the job. In one cluster, or on one machine, 1 MiB goes so. More bytes go through memory if all nodes are processes of one machine. The
     * root then returns once all have called this, the others when all nodes have everything, and {@link Storage#verified} is not called. Options with a
     * strategy other than {@code robber} and {@code auto}, a size of pieces or another digest exclude both.
     *
     * @param data of the same size on every node; not closed by the channel, and not to be closed before {@link #flush}
     * @param rootRank the node that has the data, the same on every node
     * @throws RobberException if this node, or the job, fails: the channel is of no further use then; or as {@link #flush}
     */
    void multicast(Storage data, int rootRank);

    /**
     * A communicator of the nodes of this channel. Its calls use the options of the channel, and connections of their own; the {@code imulticast}s are among
     * them. It is closed with the channel. The first call is collective.
     */
    Communicator communicator();

    /** Begins to multicast data of any type, perhaps from several roots; see {@link Communicator#bcast(Object, int...)}. */
    default Operation<Void> imulticast(Object data, int... roots) {
        return communicator().iBcast(data, roots);
    }

    /** Begins to multicast data of which only the root knows the size; see {@link Communicator#bcastUpTo}. */
    default Operation<Long> imulticastUpTo(Object data, int root) {
        return communicator().iBcastUpTo(data, root);
    }

    /** Begins to multicast data of which only the root knows the size; see {@link Communicator#bcast(Object, IntFunction, int)}. */
    default <T> Operation<T> imulticast(@Nullable T data, IntFunction<? extends T> allocator, int root) {
        return communicator().iBcast(data, allocator, root);
    }

    /** Begins to multicast bytes of which only the root knows the number; see {@link Communicator#bcastStorage}. */
    default Operation<Storage> imulticastStorage(
            @Nullable Storage data, LongFunction<? extends Storage> allocator, int root) {
        return communicator().iBcastStorage(data, allocator, root);
    }

    /** Begins to multicast data of which each node has some ranges: striping; see {@link Communicator#bcast(Object, List)}. */
    default Operation<Void> imulticast(Object data, List<ElementRange> present) {
        return communicator().iBcast(data, present);
    }

    /** Opens a stream from the root to all other nodes; see {@link Communicator#openStream(int)}. */
    default MulticastStream openStream(int root) {
        return communicator().openStream(root);
    }

    /** As {@link #openStream(int)}. */
    default MulticastStream openStream(int root, StreamOptions options) {
        return communicator().openStream(root, options);
    }

    /**
     * Multicasts the whole storage from several roots: striping. Each root reads its own stripes, and receives the others.
     *
     * @param data of the same size on every node; not closed by the channel, and not to be closed before {@link #flush}
     * @param stripes the same on every node, in the order of the data, all of it. Each but the last ends where a piece does. So the channel
     *     needs a size of pieces ({@link ChannelOptions#withPieceBytes})
     * @throws IllegalArgumentException if stripes are not so, or if the strategy multicasts from one root only
     * @throws RobberException as {@link #multicast(Storage, int)}
     * @throws UnsupportedOperationException in a channel of some nodes
     */
    void multicast(Storage data, List<RootStripe> stripes);

    /** As {@link #multicast(Storage, List)}, where nodes may have parts of the stripes of others already; see {@link #resume(Storage, int)}. */
    void resume(Storage data, List<RootStripe> stripes);

    /**
     * Multicasts as {@link #multicast(Storage, int)} does, where nodes may have parts of the data already: what a node's
     * storage knows by {@link Storage#verifiedDigest} is not sent to it again, and it serves others with it from the start.
     * The root reads everything all the same. In the end the digest over all pieces decides, as always.
     *
     * @throws UnsupportedOperationException in a channel of some nodes
     */
    void resume(Storage data, int rootRank);

    /**
     * At rank 0, before a multicast: nodes may join it ({@link Joiner}) until all others have everything; then the call that ends it
     * waits for them as long as anything comes to them. Nodes do not join a multicast that rank 0 brings
     * ({@link #multicast(Storage, int)}), as all have it at once; the one after it is joined. A multicast that may be joined goes in pieces. Not collective.
     *
     * @param description what joiners are told of the data, of any length; kept in memory, and sent to each of them from here
     * @throws UnsupportedOperationException in a channel of some nodes
     */
    void letJoin(byte[] description);

    /**
     * Returns once every node has everything: data may be changed again. What happens if nodes were lost meanwhile is up to
     * {@link ChannelOptions#onLoss}; where the others go on, they have everything when this returns or throws.
     *
     * @throws RobberException of reason {@link RobberException.Reason#PARTIAL}, with {@link ChannelOptions.OnLoss#THROW}: the
     *     nodes it names were lost; the channel can be used further, and connects the others. Of any other reason, if this node or the job has failed. A
     *     multicast that was refused because its root was lost before is none to wait for
     * @throws IllegalStateException if the channel is closed
     */
    void flush();

    /** The nodes that were lost in the last multicast that was flushed, and why; the same everywhere. Not collective. */
    Map<Integer, RobberException> missing();

    /**
     * What the last multicast moved, seen from this node; final after {@link #flush}. A channel of some nodes sends data of at most 64 KiB as one message, which
     * does not count here. Not collective.
     */
    TransferStats lastStats();

    /** Flushes and closes the connections. */
    @Override
    void close();
}
