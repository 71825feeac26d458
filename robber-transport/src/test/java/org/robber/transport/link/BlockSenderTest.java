package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.transport.link.frame.FrameWriter;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendWindow;

class BlockSenderTest {
    private static final int PEER = 1;
    private static final int PIECES = 4;

    /** Several blocks. */
    private static final int PIECE_BYTES = 1 << 20;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final DefaultEventExecutor executor = new DefaultEventExecutor();
    private final List<Integer> sent = new ArrayList<>();
    private final Transfer transfer = transfer();
    private final BlockSender sender = new BlockSender(
            PEER,
            new FrameWriter(channel, new ReadGate(channel.eventLoop(), () -> {})),
            SendWindow.at(Distance.OTHER_CLUSTER, channel),
            SendRate.unlimited(),
            sent::add);

    private Transfer transfer() {
        Topology topology = Topology.ofSizes(1, 1);
        Overlay overlay = Overlay.builder(topology).connect(0, PEER).build();
        MulticastNode machine = new MobStrategy()
                .createNode(new NodeSetup(0, topology, overlay, 0, PieceSet.full(PIECES), 1, PIECES, PIECE_BYTES));
        return new TestPieces(PIECES, PIECE_BYTES, Runnable::run).transfer(machine, /* root= */ true, PIECES, executor);
    }

    @AfterEach
    void end() {
        sender.close();
        transfer.release();
        executor.shutdownGracefully();
        channel.finishAndReleaseAll();
    }

    /** It refuses each block while the sender hands it over. So the sender is asked for more before it has noted what is gone. */
    @Test
    void aConnectionThatHasJustEndedTakesEachPieceOnce() {
        channel.close();
        sender.begin(transfer);
        for (int piece = 0; piece < PIECES; piece++) {
            sender.add(piece);
            channel.runPendingTasks();
        }

        assertThat(sent).containsExactly(0, 1, 2, 3);
        assertThat(sender.waitingPieces()).isZero();
        assertThat(sender.totalSentBytes()).isZero();
    }
}
