package org.robber.transport.link;

import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.link.frame.BlockPlace;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.frame.FrameSink;
import org.robber.transport.link.frame.ReadGate;

/** Handles the messages and blocks that come on a connection. Belongs to the connection's event loop. */
final class ReceivedFrames implements FrameSink {
    private final PeerLink link;
    private final LinkSession session;
    private final ReadGate gate;

    ReceivedFrames(PeerLink link, LinkSession session, ReadGate gate) {
        this.link = link;
        this.session = session;
        this.gate = gate;
    }

    @Override
    public boolean mayRead() {
        return gate.mayRead();
    }

    @Override
    public MessageCodec codec() {
        return session.peerCodec();
    }

    @Override
    public void received(Message message) {
        switch (message.type()) {
            case BEGIN -> session.peerBegins((Begin) message);
            case KEEP_ALIVE -> {
                // Its arrival is all it says.
            }
            case ABORT -> link.abandoned((Message.Abort) message);
            case REQUEST -> {
                if (session.requested(((Message.Request) message).piece())) {
                    passOn(message);
                } else {
                    violated(PeerLink.TOO_MANY_REQUESTS);
                }
            }
            case CANCEL -> {
                session.cancelled(((Message.Cancel) message).piece());
                passOn(message);
            }
            default -> passOn(message);
        }
    }

    private void passOn(Message message) {
        if (!session.received(message, gate)) {
            violated("it sent " + message.type() + " before any multicast");
        }
    }

    @Override
    public BlockPlace placeFor(PieceBlock block, BlockReader reader) {
        return session.placeFor(block, reader);
    }

    @Override
    public void blockReceived(PieceBlock block) {
        session.blockReceived(block);
        link.bytesMoved();
    }

    @Override
    public void violated(String why) {
        link.violated(why);
    }
}
