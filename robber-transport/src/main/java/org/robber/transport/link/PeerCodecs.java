package org.robber.transport.link;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.wire.MessageCodec;

/**
 * The multicasts of both ends of a connection, and how to decode what comes. The peer may still send pieces of a multicast after this node has begun the next one, whose
 * layout is another. So the multicast that the peer has begun here counts. Belongs to the connection's event loop.
 */
final class PeerCodecs {
    /** Of the multicast of the peer, and of those that this node has begun since. */
    private final Map<Begin, MessageCodec> codecs = new HashMap<>();

    private @Nullable Begin ours;
    private @Nullable Begin theirs;

    /** A multicast begins at this node. */
    void begin(Begin begin, MessageCodec codec) {
        ours = begin;
        codecs.put(begin, codec);
    }

    /** The last multicast that this node has begun; null if it has begun none. */
    @Nullable
    Begin ours() {
        return ours;
    }

    /** Whether both ends have begun the same one. */
    boolean matches() {
        return ours != null && ours.equals(theirs);
    }

    /** A multicast begins at the peer. */
    void peerBegins(Begin begin) {
        theirs = begin;
        codecs.keySet().removeIf(older -> older.sequence() < begin.sequence());
    }

    /** The codec of the peer's multicast. If this node does not know that multicast, only messages without pieces can come. */
    MessageCodec current() {
        MessageCodec known = theirs == null ? null : codecs.get(theirs);
        return known == null ? MessageCodec.betweenMulticasts() : known;
    }

    /** The multicast that the peer has begun; null if it has begun none. */
    @Nullable
    Begin theirs() {
        return theirs;
    }
}
