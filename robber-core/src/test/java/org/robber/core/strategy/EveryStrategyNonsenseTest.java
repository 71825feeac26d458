package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.steal.StealingNode;
import org.robber.core.steal.WorkChecker;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * Peers send random messages at random times: no node throws, no node sends to a peer that it dropped, and what stealing nodes have
 * requested agrees with their ledger.
 */
class EveryStrategyNonsenseTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(200);
    private static final int PIECES = 10;
    private static final Topology TOPOLOGY = Topology.ofSizes(3, 4, 3);

    static List<String> strategies() {
        return EveryStrategyTest.strategies();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void nothingThatPeersSayHurts(String name) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                listen(Strategies.byName(name), new SeededRandom(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void listen(MulticastStrategy strategy, SeededRandom random) {
        Overlay overlay = strategy.planOverlay(TOPOLOGY, 1);
        int rank = random.nextInt(TOPOLOGY.size());
        PieceSet possession = rank == 0 ? PieceSet.full(PIECES) : PieceSet.empty(PIECES);
        MulticastNode node = strategy.createNode(
                new NodeSetup(rank, TOPOLOGY, overlay, 0, possession, 1, 1 + random.nextInt(5), 1000));
        int[] peers = overlay.peers(rank);
        boolean[] dropped = new boolean[TOPOLOGY.size()];
        checkWindows(node);
        node.start(0);
        for (int peer : peers) {
            if (random.nextInt(8) > 0) {
                node.handle(0, new Event.PeerReady(peer));
            }
        }
        for (int i = 0; i < 200; i++) {
            for (Action action : node.handle(i * 100_000_000L, event(peers, node instanceof StealingNode, random))) {
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
            checkWindows(node);
        }
    }

    private static void checkWindows(MulticastNode node) {
        if (node instanceof StealingNode stealing) {
            WorkChecker.windowsAgreeWithLedger(stealing);
        }
    }

    private static Event event(int[] peers, boolean steals, SeededRandom random) {
        int peer = peers[random.nextInt(peers.length)];
        int piece = random.nextInt(PIECES);
        TimerKey[] timers = TimerKey.values();
        return switch (random.nextInt(13)) {
            case 0 -> new Event.PieceStored(peer, piece);
            case 1 -> random.nextInt(4) > 0 ? new Event.PieceStored(peer, piece) : new Event.PieceCorrupt(peer, piece);
            case 2 ->
                random.nextInt(20) > 0
                        ? new Event.TimerFired(timers[random.nextInt(timers.length)])
                        : new Event.PeerLost(peer);
            case 3 -> new Event.PeerReady(peer);
            case 4 -> new Event.PieceBegun(peer, piece, random.nextInt(2 * PIECES));
            default ->
                new Event.Received(
                        random.nextInt(100) > 0 ? peer : random.nextInt(TOPOLOGY.size()),
                        message(piece, steals, random));
        };
    }

    /** Mostly what is allowed at some time; a node that hears only nonsense soon hears nobody any more. */
    private static Message message(int piece, boolean steals, SeededRandom random) {
        int anyPiece = random.nextInt(200) > 0 ? piece : random.nextInt(3) * PIECES - PIECES;
        PieceSet pieces = PieceSet.empty(random.nextInt(200) > 0 ? PIECES : PIECES + 1);
        for (int i = random.nextInt(4); i > 0; i--) {
            pieces.add(random.nextInt(PIECES));
        }
        List<Message> ofAll =
                List.of(new Message.Request(anyPiece), new Message.Cancel(anyPiece), new Message.Have(anyPiece));
        List<Message> stealing = List.of(
                new Message.Desire(pieces),
                new Message.Steal((int) random.nextLong(), (int) random.nextLong()),
                new Message.FoundWork());
        List<Message> choking = List.of(
                new Message.Choke(), new Message.Unchoke(), new Message.Interested(), new Message.NotInterested());
        List<Message> ofNone = List.of(
                new Message.Bitfield(pieces),
                new Message.Reject(anyPiece),
                new Message.Work(pieces),
                new Message.Done(),
                new Message.Stop(),
                new Message.KeepAlive());
        List<Message> polite = joined(ofAll, steals ? stealing : choking);
        List<Message> rude = joined(ofNone, steals ? choking : stealing);
        List<Message> some = random.nextInt(10) > 0 ? polite : rude;
        return some.get(random.nextInt(some.size()));
    }

    private static List<Message> joined(List<Message> some, List<Message> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
