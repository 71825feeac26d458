package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.MessageType;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;

/** A connection breaks and is made again, while the machine is still busy with what happened before. */
class RedialTest {
    private static final int PEER = 1;
    private static final int PIECES = 10;
    private static final Begin BEGIN = new Begin(1, 0, PIECES, 1, "scripted", "xxh3-128");

    private final LossRecorder losses = new LossRecorder();
    private final EmbeddedChannel machineLoop = new EmbeddedChannel();
    private final Answering machine = new Answering();
    private final Transfer transfer =
            new TestPieces(PIECES).transfer(machine, /* root= */ false, 5, machineLoop.eventLoop());
    private final List<Connection> connections = new ArrayList<>();

    /** Says {@code desire} to a peer that is ready, and answers each {@code have} with a request. */
    private static final class Answering extends TestMachine {
        private final List<String> heard = new ArrayList<>();

        Answering() {
            super(PIECES);
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            heard.add(event.getClass().getSimpleName());
            if (event instanceof Event.PeerReady ready) {
                return List.of(new Action.Send(ready.peerRank(), new Message.Desire(PieceSet.empty(PIECES))));
            } else if (event instanceof Event.Received received && received.message() instanceof Message.Have have) {
                return List.of(new Action.Send(received.fromRank(), new Message.Request(have.piece())));
            }
            return List.of();
        }
    }

    /** One connection to the peer; the test plays the peer. */
    private final class Connection {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final PeerLink link = new PeerLink(PEER, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), losses);

        private Connection() {
            PlacedReceive.install(channel);
            link.open(Duration.ofMinutes(1), Duration.ofMinutes(1));
            link.begin(BEGIN, transfer, PEER);
            connections.add(this);
        }

        private void receive(Message message) {
            ByteBuffer frame = ByteBuffer.allocate(transfer.codec().encodedBytes(message));
            transfer.codec().encode(message, frame);
            channel.writeInbound(Unpooled.wrappedBuffer(frame.flip()));
        }

        /** The messages that were sent since this was last asked. */
        private List<MessageType> sent() {
            channel.runPendingTasks();
            ByteBuf all = Unpooled.buffer();
            for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
                all.writeBytes(bytes);
                bytes.release();
            }
            List<MessageType> types = new ArrayList<>();
            while (all.isReadable()) {
                int bytesBehindLength = all.readInt();
                types.add(Objects.requireNonNull(MessageType.ofCode(all.readByte())));
                all.skipBytes(bytesBehindLength - 1);
            }
            return types;
        }
    }

    @AfterEach
    void close() {
        transfer.release();
        connections.forEach(connection -> connection.channel.finishAndReleaseAll());
        machineLoop.finishAndReleaseAll();
    }

    private void runMachine() {
        machineLoop.runPendingTasks();
    }

    private Connection readyConnection() {
        transfer.start();
        Connection connection = new Connection();
        connection.receive(BEGIN);
        runMachine();
        assertThat(connection.sent()).containsExactly(MessageType.BEGIN, MessageType.DESIRE);
        return connection;
    }

    @Test
    void answersToTheConnectionBeforeDoNotLeaveOnTheNextOne() {
        Connection first = readyConnection();
        first.receive(new Message.Have(3));
        first.link.lost("it broke");
        Connection second = new Connection();

        runMachine();

        assertThat(machine.heard).containsExactly("PeerReady", "Received", "PeerLost");
        assertThat(second.sent()).containsExactly(MessageType.BEGIN);
        second.receive(BEGIN);
        runMachine();
        assertThat(second.sent()).containsExactly(MessageType.DESIRE);
    }

    /** The loop of the first connection is busy, so its end comes last. */
    @Test
    void aConnectionThatEndsLateLeavesTheOneInItsPlaceAlone() {
        Connection first = readyConnection();
        Connection second = new Connection();
        second.receive(BEGIN);
        second.receive(new Message.Have(4));
        runMachine();
        first.link.lost("it broke");
        runMachine();

        assertThat(machine.heard).containsExactly("PeerReady", "PeerLost", "PeerReady", "Received");
        assertThat(second.sent()).containsExactly(MessageType.BEGIN, MessageType.DESIRE, MessageType.REQUEST);
        assertThat(transfer.intake().isOwedBy(PEER)).isTrue();
    }

    @Test
    void whatTheMachineOfTheCallBeforeSaysLateDoesNotLeave() {
        Connection connection = readyConnection();
        Transfer next = new TestPieces(PIECES).transfer(new Answering(), /* root= */ false, 5, machineLoop.eventLoop());
        connection.receive(new Message.Have(4));
        connection.link.begin(new Begin(2, 0, PIECES, 1, "scripted", "xxh3-128"), next, PEER);

        runMachine();

        assertThat(machine.heard).endsWith("Received");
        assertThat(connection.sent()).containsExactly(MessageType.BEGIN);
        next.release();
    }

    @Test
    void aPeerThatBreaksTheProtocolIsToldWhy() {
        Connection connection = readyConnection();
        connection.link.violated("it lies");

        assertThat(connection.sent()).containsExactly(MessageType.ABORT);
        assertThat(losses.losses()).containsExactly("it broke the protocol: it lies");
    }

    @Test
    void whatWasRequestedOverTheConnectionBeforeIsNotOwedOnTheNextOne() {
        Connection first = readyConnection();
        first.receive(new Message.Have(3));
        first.link.lost("it broke");
        Connection second = new Connection();
        second.receive(BEGIN);

        runMachine();
        assertThat(transfer.intake().isOwedBy(PEER)).isFalse();

        second.receive(new Message.Have(4));
        runMachine();
        assertThat(transfer.intake().isOwedBy(PEER)).isTrue();
    }
}
