package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/** Peers that say anything at all, at any time: the node neither throws nor talks to those that it dropped. */
class RobberNonsenseTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(2_000);
    private static final int PIECES = 10;
    private static final Topology TOPOLOGY = Topology.ofSizes(3, 4, 3);
    private static final int RANK = 4;

    @Test
    void nothingThatPeersSayHurts() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                listen(new SeededRandom(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void listen(SeededRandom random) {
        Overlay overlay = OverlayPlanner.plan(TOPOLOGY, 3, 1);
        StealingNode node = StealingNode.ofRobber(
                new NodeSetup(RANK, TOPOLOGY, overlay, 0, PieceSet.empty(PIECES), 1, 1 + random.nextInt(5), 1),
                RequestStyle.PACED);
        int[] peers = overlay.peers(RANK);
        boolean[] dropped = new boolean[TOPOLOGY.size()];
        WorkChecker.windowsAgreeWithLedger(node);
        node.start(0);
        for (int peer : peers) {
            if (random.nextInt(8) > 0) {
                node.handle(0, new Event.PeerReady(peer));
            }
        }
        for (int i = 0; i < 200; i++) {
            for (Action action : node.handle(i, event(peers, random))) {
                if (action instanceof Action.Send send) {
                    assertThat(dropped[send.toRank()])
                            .as("said to a dropped peer")
                            .isFalse();
                } else if (action instanceof Action.SendPiece send) {
                    assertThat(node.possession().contains(send.piece())).isTrue();
                } else if (action instanceof Action.Disconnect disconnect) {
                    dropped[disconnect.peerRank()] = true;
                }
            }
            WorkChecker.windowsAgreeWithLedger(node);
        }
    }

    private static Event event(int[] peers, SeededRandom random) {
        int peer = peers[random.nextInt(peers.length)];
        int piece = random.nextInt(PIECES);
        return switch (random.nextInt(12)) {
            case 0 -> new Event.PieceStored(peer, piece);
            case 1 -> random.nextInt(4) > 0 ? new Event.PieceStored(peer, piece) : new Event.PieceCorrupt(peer, piece);
            case 2 -> random.nextInt(20) > 0 ? new Event.TimerFired(TimerKey.RECHOKE) : new Event.PeerLost(peer);
            case 3 -> new Event.PeerReady(peer);
            default ->
                new Event.Received(
                        random.nextInt(100) > 0 ? peer : random.nextInt(TOPOLOGY.size()), message(piece, random));
        };
    }

    /** Mostly what is allowed at some time; a node that hears only nonsense soon hears nobody any more. */
    private static Message message(int piece, SeededRandom random) {
        int anyPiece = random.nextInt(200) > 0 ? piece : random.nextInt(3) * PIECES - PIECES;
        PieceSet pieces = PieceSet.empty(random.nextInt(200) > 0 ? PIECES : PIECES + 1);
        for (int i = random.nextInt(4); i > 0; i--) {
            pieces.add(random.nextInt(PIECES));
        }
        List<Message> polite = List.of(
                new Message.Desire(pieces),
                new Message.Request(anyPiece),
                new Message.Cancel(anyPiece),
                new Message.Steal((int) random.nextLong(), (int) random.nextLong()),
                new Message.Have(anyPiece),
                new Message.FoundWork());
        List<Message> rude = List.of(
                new Message.Bitfield(pieces),
                new Message.Reject(anyPiece),
                new Message.Work(pieces),
                new Message.Done(),
                new Message.Stop(),
                new Message.KeepAlive());
        List<Message> some = random.nextInt(20) > 0 ? polite : rude;
        return some.get(random.nextInt(some.size()));
    }
}
