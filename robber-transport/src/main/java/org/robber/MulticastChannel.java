package org.robber;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Brings data from one node to all others. Connections are made once, when the channel is opened, and kept for any number
 * of multicasts in a row. All calls are collective, from one thread at a time.
 *
 * <p>{@code multicast} returns when all data is here and verified; this node goes on serving others in the background.
 * The data, received or sent, may be altered only after {@link #flush}, which the next {@code multicast} and {@link
 * #close} imply.
 */
public interface MulticastChannel extends AutoCloseable {

    /** Multicasts from rank 0; see {@link #multicast(Storage, int)}. */
    default void multicast(byte[] data) {
        multicast(ByteBuffer.wrap(data));
    }

    /** Multicasts what remains of the buffer, whose position does not change, from rank 0. */
    void multicast(ByteBuffer data);

    /** Multicasts from rank 0; see {@link #multicast(Storage, int)}. */
    default void multicast(Storage data) {
        multicast(data, 0);
    }

    /**
     * Multicasts the whole storage: read at the root, written everywhere else.
     *
     * @param data of the same size on every node; not closed by the channel, and not to be closed before {@link #flush}
     * @param rootRank the node that has the data, the same on every node
     * @throws RobberException if this node, or the job, fails: the channel is of no further use then; or as {@link #flush}
     */
    void multicast(Storage data, int rootRank);

    /**
     * Multicasts as {@link #multicast(Storage, int)} does, where nodes may have parts of the data already: what a node's
     * storage knows by {@link Storage#verifiedDigest} is not sent to it again, and it serves others with it from the start.
     * The root reads everything all the same. In the end the digest over all pieces decides, as always.
     */
    void resume(Storage data, int rootRank);

    /**
     * At rank 0, before a multicast: nodes may join it ({@link Joiner}) until all others have everything; then the call that ends it
     * waits for them as long as anything comes to them. Not collective.
     *
     * @param description what joiners are told of the data, of any length; kept in memory, and sent to each of them from here
     */
    void letJoin(byte[] description);

    /**
     * Returns once every node has everything: data may be changed again. What happens if nodes were lost meanwhile is up to
     * {@link ChannelOptions#onLoss}; where the others go on, they have everything when this returns or throws.
     *
     * @throws RobberException of reason {@link RobberException.Reason#PARTIAL}, with {@link ChannelOptions.OnLoss#THROW}: the
     *     nodes it names were lost; the channel can be used further, and connects the others
     */
    void flush();

    /** The nodes that were lost in the last multicast that was flushed, and why; the same everywhere. Not collective. */
    Map<Integer, RobberException> missing();

    /** What the last multicast moved, seen from this node; final after {@link #flush}. Not collective. */
    TransferStats lastStats();

    /** Flushes and closes the connections. */
    @Override
    void close();
}
