package org.robber.bench.micro;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * A whole multicast or another exchange of pieces, in a network that takes no time: every event that any node was handed, in order. Machines are
 * deterministic, so fresh nodes that are handed the same do the same.
 */
final class Transcript {
    private static final int ROOT = 0;
    private static final long SEED = 20_131;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int MOST_EVENTS = 50_000_000;

    private final MulticastStrategy strategy;
    private final Topology topology;
    private final Overlay overlay;
    private final DataPlacement placement;
    private final List<Step> steps = new ArrayList<>();
    private long messages;

    /** An event for a node, and its time. */
    private record Step(int rank, long nanos, Event event) {}

    /** A timer that was set; void if it was set anew since. */
    private record Timer(int rank, TimerKey key, long nanos, long sequence) {}

    private Transcript(MulticastStrategy strategy, Topology topology, Overlay overlay, DataPlacement placement) {
        this.strategy = strategy;
        this.topology = topology;
        this.overlay = overlay;
        this.placement = placement;
    }

    /**
     * Lets a strategy do a multicast.
     *
     * @throws IllegalStateException if some node never has everything
     */
    static Transcript of(MulticastStrategy strategy, Topology topology, int pieces) {
        return of(strategy, topology, strategy.planOverlay(topology, SEED), DataPlacement.ofRoot(ROOT, pieces));
    }

    /** As {@link #of(MulticastStrategy, Topology, int)}, for an exchange in which nodes want parts: each node has a connection to each other. */
    static Transcript ofParts(MulticastStrategy strategy, Topology topology, DataPlacement placement) {
        return of(strategy, topology, Overlay.complete(topology), placement);
    }

    private static Transcript of(
            MulticastStrategy strategy, Topology topology, Overlay overlay, DataPlacement placement) {
        Transcript transcript = new Transcript(strategy, topology, overlay, placement);
        transcript.new Recording().run();
        return transcript;
    }

    /** Messages that nodes sent, pieces aside. */
    long messages() {
        return messages;
    }

    /** Events that nodes were handed. */
    int events() {
        return steps.size();
    }

    /** Nodes that have not begun. */
    MulticastNode[] nodes() {
        MulticastNode[] nodes = new MulticastNode[topology.size()];
        Arrays.setAll(
                nodes,
                rank -> strategy.createNode(new NodeSetup(
                        rank,
                        topology,
                        overlay,
                        placement,
                        placement.possessedBy(rank),
                        SEED,
                        NodeSetup.PUBLISHED_REQUEST_WINDOW,
                        PIECE_BYTES,
                        (long) PIECE_BYTES * placement.pieceCount(),
                        false)));
        return nodes;
    }

    /** Hands fresh nodes what the first ones were handed; returns how many actions came of it. */
    long replay(MulticastNode[] nodes) {
        long actions = 0;
        for (MulticastNode node : nodes) {
            actions += node.start(0).size();
        }
        for (Step step : steps) {
            actions += nodes[step.rank].handle(step.nanos, step.event).size();
        }
        return actions;
    }

    private final class Recording {
        private final MulticastNode[] nodes = nodes();
        private final Queue<Step> due = new ArrayDeque<>();
        private final PriorityQueue<Timer> timers = new PriorityQueue<>(
                (a, b) -> a.nanos != b.nanos ? Long.compare(a.nanos, b.nanos) : Long.compare(a.sequence, b.sequence));
        private final List<Timer> latest = new ArrayList<>();
        private long nowNanos;
        private long sequence;

        void run() {
            for (int rank = 0; rank < nodes.length; rank++) {
                perform(rank, nodes[rank].start(0));
            }
            for (int rank = 0; rank < nodes.length; rank++) {
                for (int peer : overlay.peers(rank)) {
                    due.add(new Step(rank, 0, new Event.PeerReady(peer)));
                }
            }
            while (!allHaveEverything()) {
                Step step = next();
                steps.add(step);
                if (steps.size() > MOST_EVENTS) {
                    throw new IllegalStateException(strategy.name() + " does not end");
                }
                perform(step.rank, nodes[step.rank].handle(step.nanos, step.event));
            }
        }

        private boolean allHaveEverything() {
            for (int rank = 0; rank < nodes.length; rank++) {
                if (!placement.wantedBy(rank).andNot(nodes[rank].possession()).isEmpty()) {
                    return false;
                }
            }
            return true;
        }

        /** Messages arrive at once; time passes only when there are timers alone. */
        private Step next() {
            Step step = due.poll();
            if (step != null) {
                return new Step(step.rank, nowNanos, step.event);
            }
            for (Timer timer = timers.poll(); timer != null; timer = timers.poll()) {
                if (latest.remove(timer)) {
                    nowNanos = Math.max(nowNanos, timer.nanos);
                    return new Step(timer.rank, nowNanos, new Event.TimerFired(timer.key));
                }
            }
            throw new IllegalStateException(strategy.name() + " stands still");
        }

        private void perform(int rank, List<Action> actions) {
            for (Action action : actions) {
                if (action instanceof Action.Send send) {
                    messages++;
                    due.add(new Step(send.toRank(), nowNanos, new Event.Received(rank, send.message())));
                } else if (action instanceof Action.SendPiece send) {
                    // Nothing waits where sending takes no time.
                    due.add(new Step(send.toRank(), nowNanos, new Event.PieceBegun(rank, send.piece(), 0)));
                    due.add(new Step(send.toRank(), nowNanos, new Event.PieceStored(rank, send.piece())));
                } else if (action instanceof Action.SetTimer set) {
                    latest.removeIf(timer -> timer.rank == rank && timer.key.equals(set.key()));
                    Timer timer = new Timer(rank, set.key(), set.atNanos(), sequence++);
                    latest.add(timer);
                    timers.add(timer);
                }
            }
        }
    }
}
