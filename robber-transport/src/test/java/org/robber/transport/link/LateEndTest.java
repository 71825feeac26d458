package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;

/**
 * A connection broke at the end of a multicast. One node took its peer for lost, and ended. The peer began the multicast only on the next
 * connection, has everything, and waits for the end.
 */
class LateEndTest {
    private static final int PIECES = 3;
    private static final Begin FIRST = new Begin(1, 0, PIECES, 1, "mob", "xxh3-128");
    private static final Begin SECOND = new Begin(2, 0, PIECES, 1, "mob", "xxh3-128");

    private final LossRecorder losses = new LossRecorder();
    private final End early = new End(0, 1);
    private final End late = new End(1, 0);

    /** One end of the connection; everything runs in the thread of the test. */
    private final class End {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final List<Transfer> transfers = new ArrayList<>();
        private final int rank;
        private final int peer;
        private final PeerLink link;

        private End(int rank, int peer) {
            this.rank = rank;
            this.peer = peer;
            this.link = new PeerLink(peer, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), losses);
        }

        private void open() {
            PlacedReceive.install(channel);
            link.open(Duration.ofMinutes(1), Duration.ofMinutes(1));
        }

        private Transfer begin(Begin begin) {
            Topology topology = Topology.ofSizes(2);
            Overlay overlay = Overlay.builder(topology).connect(0, 1).build();
            NodeSetup setup = new NodeSetup(rank, topology, overlay, 0, PieceSet.full(PIECES), 1, 5, 1);
            Transfer transfer = new TestPieces(PIECES)
                    .transfer(new MobStrategy().createNode(setup), rank == 0, 5, channel.eventLoop());
            transfers.add(transfer);
            link.begin(begin, transfer, peer);
            transfer.start();
            return transfer;
        }

        private boolean deliverTo(End other) {
            channel.runPendingTasks();
            boolean any = false;
            for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
                other.channel.writeInbound(bytes);
                any = true;
            }
            return any;
        }

        private void close() {
            transfers.forEach(Transfer::release);
            channel.finishAndReleaseAll();
        }
    }

    @BeforeEach
    void open() {
        early.open();
        late.open();
    }

    @AfterEach
    void close() {
        early.close();
        late.close();
    }

    private void deliverAll() {
        boolean any;
        do {
            any = early.deliverTo(late);
            any |= late.deliverTo(early);
        } while (any);
        assertThat(losses.losses()).isEmpty();
    }

    @Test
    void aNodeBetweenMulticastsTellsTheEnd() {
        early.link.ended(FIRST);

        Transfer waiting = late.begin(FIRST);
        deliverAll();

        assertThat(waiting.finished()).isDone();
    }

    @Test
    void theEndOfThisMulticastComesAfterThePeerHasBegunIt() {
        Transfer waiting = late.begin(FIRST);
        deliverAll();
        assertThat(waiting.finished()).isNotDone();

        early.link.ended(FIRST);
        deliverAll();

        assertThat(waiting.finished()).isDone();
    }

    /** A connection that opens at that moment hears of the end by both. */
    @Test
    void theEndIsToldOnce() {
        Transfer waiting = late.begin(FIRST);
        deliverAll();
        early.link.ended(FIRST);
        deliverAll();
        assertThat(waiting.finished()).isDone();

        early.link.ended(FIRST);
        assertThat(early.deliverTo(late)).isFalse();
    }

    @Test
    void aMachineThatStopsTooEarlyIsMadeUpFor() {
        Transfer stopped = early.begin(FIRST);
        Transfer waiting = late.begin(FIRST);
        stopped.release();
        early.link.ended(FIRST);
        deliverAll();

        assertThat(waiting.finished()).isDone();
    }

    @Test
    void aNodeThatIsInTheNextMulticastTellsTheEndAndGoesOn() {
        early.link.ended(FIRST);
        Transfer next = early.begin(SECOND);
        deliverAll();

        Transfer waiting = late.begin(FIRST);
        deliverAll();
        assertThat(waiting.finished()).isDone();
        assertThat(next.finished()).isNotDone();

        late.link.ended(FIRST);
        Transfer nextOfLate = late.begin(SECOND);
        deliverAll();
        assertThat(next.finished()).isDone();
        assertThat(nextOfLate.finished()).isDone();
    }
}
