package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;

/** A peer that asks and asks loses its connection before what it asks for takes memory. */
class TooManyRequestsTest {
    private static final int PEER = 1;
    private static final int ALLOWED = 5;
    private static final int PIECES = 100;

    private final LossRecorder losses = new LossRecorder();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final PeerLink link = new PeerLink(PEER, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), losses);
    private final DefaultEventExecutor executor = new DefaultEventExecutor();
    private Transfer transfer;

    @BeforeEach
    void begin() {
        Topology topology = Topology.ofSizes(2);
        Overlay overlay = Overlay.builder(topology).connect(0, PEER).build();
        MulticastNode node = new MobStrategy()
                .createNode(new NodeSetup(0, topology, overlay, 0, PieceSet.full(PIECES), 1, ALLOWED, 1));
        transfer = new TestPieces(PIECES).transfer(node, /* root= */ true, ALLOWED, executor);
        PlacedReceive.install(channel);
        link.open(Duration.ofMinutes(1), Duration.ofMinutes(1));
        Begin begin = new Begin(1, 0, PIECES, 1, "mob", "xxh3-128");
        link.begin(begin, transfer, PEER);
        receive(begin);
    }

    @AfterEach
    void end() {
        transfer.release();
        executor.shutdownGracefully();
        channel.close();
    }

    private void receive(Message message) {
        ByteBuffer frame = ByteBuffer.allocate(transfer.codec().encodedBytes(message));
        transfer.codec().encode(message, frame);
        channel.writeInbound(Unpooled.wrappedBuffer(frame.flip()));
    }

    @Test
    void theSamePieceAgainAndAgain() {
        for (int i = 0; i < 2 * ALLOWED; i++) {
            receive(new Message.Request(0));
            assertThat(losses.losses()).isEmpty();
        }
        receive(new Message.Request(0));
        assertThat(losses.losses())
                .containsExactly("it broke the protocol: it has more requests unanswered than its strategy makes");
    }

    @Test
    void whatIsRefusedMakesRoom() {
        for (int i = 0; i < 10 * ALLOWED; i++) {
            receive(new Message.Request(i));
            link.send(new Message.Reject(i));
        }
        assertThat(losses.losses()).isEmpty();
    }

    @Test
    void whatIsCancelledMakesRoom() {
        for (int i = 0; i < 10 * ALLOWED; i++) {
            receive(new Message.Request(i));
            receive(new Message.Cancel(i));
        }
        assertThat(losses.losses()).isEmpty();
    }

    /** Such a piece still leaves, and the peer may request others instead. */
    @Test
    void onEachFurtherConnectionOneCancelledPieceMayBeLeaving() {
        for (int side = 0; side < 2; side++) {
            EmbeddedChannel further = new EmbeddedChannel();
            PlacedReceive.install(further);
            link.addSide(further, Duration.ofMinutes(1));
        }
        channel.runPendingTasks();
        for (int i = 0; i < 2 * ALLOWED + 2; i++) {
            link.sendPiece(i);
        }
        assertThat(losses.losses()).isEmpty();
        link.sendPiece(2 * ALLOWED + 2);
        assertThat(losses.losses()).hasSize(1);
    }

    /** No piece is ever read here, so all that is to be sent waits. */
    @Test
    void moreThanItMayAskForIsNeverPutInTheQueue() {
        for (int i = 0; i <= 2 * ALLOWED; i++) {
            assertThat(losses.losses()).isEmpty();
            link.sendPiece(i);
        }
        assertThat(losses.losses()).hasSize(1);
    }
}
