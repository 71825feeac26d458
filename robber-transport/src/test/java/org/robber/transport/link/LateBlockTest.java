package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;

/** A piece that was cancelled leaves all the same if it had begun to. This node may have begun the next multicast by then, with fewer pieces. */
class LateBlockTest {
    private static final int PEER = 0;
    private static final int MANY = 100;
    private static final int FEW = 8;
    private static final int DIGEST_BYTES = 16;

    private final LossRecorder losses = new LossRecorder();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final PeerLink link = new PeerLink(PEER, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), losses);
    private final DefaultEventExecutor executor = new DefaultEventExecutor();
    private final List<Transfer> transfers = new ArrayList<>();

    @AfterEach
    void end() {
        transfers.forEach(Transfer::release);
        executor.shutdownGracefully();
        channel.close();
    }

    private MessageCodec begin(Begin begin) {
        int pieces = (int) begin.totalBytes();
        Topology topology = Topology.ofSizes(2);
        Overlay overlay = Overlay.builder(topology).connect(PEER, 1).build();
        NodeSetup setup = new NodeSetup(1, topology, overlay, PEER, PieceSet.empty(pieces), 1, 5, 1);
        Transfer transfer =
                new TestPieces(pieces).transfer(new MobStrategy().createNode(setup), /* root= */ false, 5, executor);
        transfers.add(transfer);
        link.begin(begin, transfer, PEER);
        return transfer.codec();
    }

    private void receive(MessageCodec codec, Message message) {
        ByteBuffer frame = ByteBuffer.allocate(codec.encodedBytes(message) + 1);
        codec.encode(message, frame);
        if (message instanceof PieceBlock) {
            frame.put((byte) 0);
        }
        channel.writeInbound(Unpooled.wrappedBuffer(frame.flip()));
    }

    /** @param endsWell whether the multicast ends with all pieces everywhere, and not by a failure of the call */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsReadAsOneOfTheMulticastOfThePeer(boolean endsWell) {
        PlacedReceive.install(channel);
        link.open(Duration.ofMinutes(1), Duration.ofMinutes(1));
        Begin first = new Begin(1, 0, MANY, 1, "mob", "xxh3-128");
        MessageCodec codec = begin(first);
        receive(codec, first);
        if (endsWell) {
            link.ended(first);
        }

        Begin second = new Begin(2, 0, FEW, 1, "mob", "xxh3-128");
        MessageCodec next = begin(second);
        receive(codec, new PieceBlock(MANY - 1, 0, 1, 0, new byte[DIGEST_BYTES]));
        receive(codec, new Message.Request(MANY - 1));
        receive(codec, new Message.Cancel(MANY - 1));
        channel.checkException();
        assertThat(losses.losses()).isEmpty();

        receive(next, second);
        receive(codec, new PieceBlock(MANY - 1, 0, 1, 0, new byte[DIGEST_BYTES]));
        assertThat(losses.losses())
                .singleElement()
                .asString()
                .contains("piece: " + (MANY - 1) + " is not in 0.." + (FEW - 1));
    }
}
