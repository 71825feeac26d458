package org.robber.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.trace.TraceHash;

/**
 * Runs the nodes of one multicast in virtual time. What one node says to another arrives in order; pieces queue at the
 * sender's card, the connection, and the receiver's card, say how many others waited when they were sent, and are stored a
 * random while after they arrived. Nodes learn
 * of their peers at random times. Everything follows from one seed.
 */
public final class InCoreNetwork {

    /** Looks at the network after every step. */
    @FunctionalInterface
    public interface Checker {
        /** The node of this rank has just handled an event. */
        void afterStep(InCoreNetwork network, int rank);
    }

    /** What the network does wrong on purpose: chances per piece that is sent. */
    public record Faults(double rejectChance, double corruptChance) {
        public static final Faults NONE = new Faults(0, 0);
    }

    /** Something that will happen to a node; without an event, its death. */
    private record Due(
            long atNanos, long sequence, int rank, @Nullable Event event) {}

    private record Line(int fromRank, int toRank) {}

    /** The size of a piece, for strategies whose rates are in bytes. */
    public static final int PIECE_BYTES = 1000;

    /** A node is disconnected for good at the third corrupt piece of a peer; then its last source might be gone. */
    private static final int CORRUPT_PIECES_PER_LINE = 2;

    private final Topology topology;
    private final Overlay overlay;
    private final Fabric fabric;
    private final Faults faults;
    private final SeededRandom random;
    private final List<MulticastNode> nodes = new ArrayList<>();
    private final List<Checker> checkers = new ArrayList<>();
    private final PriorityQueue<Due> agenda = new PriorityQueue<>((a, b) ->
            a.atNanos == b.atNanos ? Long.compare(a.sequence, b.sequence) : Long.compare(a.atNanos, b.atNanos));
    private final Map<Line, Long> lastArrivalNanos = new HashMap<>();
    private final Map<Line, Long> linkFreeNanos = new HashMap<>();
    private final Map<Line, ArrayDeque<Long>> leaving = new HashMap<>();
    private final Map<Line, Integer> corrupted = new HashMap<>();
    private final List<Due> workInFlight = new ArrayList<>();
    private final List<Map<TimerKey, Due>> timers = new ArrayList<>();
    private final long[] cardOutFreeNanos;
    private final long[] cardInFreeNanos;
    private final long[] completedAtNanos;
    private final boolean[] finished;
    private final boolean[] dead;
    private final int[][] arrivals;
    private final TraceHash trace = new TraceHash();
    private long nowNanos;
    private long sequence;
    private long steps;
    private boolean mutesFoundWork;

    /**
     * A network in which rank 0 possesses everything, and nobody else anything.
     *
     * @param maker makes the node of each rank
     */
    public InCoreNetwork(
            Topology topology,
            Overlay overlay,
            int pieceCount,
            int requestWindow,
            long seed,
            Fabric fabric,
            Faults faults,
            Function<NodeSetup, MulticastNode> maker) {
        this.topology = topology;
        this.overlay = overlay;
        this.fabric = fabric;
        this.faults = faults;
        this.random = new SeededRandom(seed);
        int size = topology.size();
        cardOutFreeNanos = new long[size];
        cardInFreeNanos = new long[size];
        completedAtNanos = new long[size];
        finished = new boolean[size];
        dead = new boolean[size];
        arrivals = new int[topology.clusterCount()][pieceCount];
        for (int rank = 0; rank < size; rank++) {
            PieceSet possession = rank == 0 ? PieceSet.full(pieceCount) : PieceSet.empty(pieceCount);
            NodeSetup setup = new NodeSetup(rank, topology, overlay, 0, possession, seed, requestWindow, PIECE_BYTES);
            nodes.add(new TracedNode(rank, maker.apply(setup), trace));
            completedAtNanos[rank] = -1;
            timers.add(new EnumMap<>(TimerKey.class));
            for (int peer : overlay.peers(rank)) {
                long readyNanos = random.nextInt(1_000_000);
                lastArrivalNanos.put(new Line(peer, rank), readyNanos);
                plan(readyNanos, rank, new Event.PeerReady(peer));
            }
        }
    }

    public InCoreNetwork check(Checker checker) {
        checkers.add(checker);
        return this;
    }

    /** Loses every announcement of work, so that nobody ever steals any: static shares. */
    public InCoreNetwork muteFoundWork() {
        mutesFoundWork = true;
        return this;
    }

    /** Lets a node die; its peers learn of it after all that it had said before, and all others as well. */
    public InCoreNetwork kill(int rank, long atNanos) {
        plan(atNanos, rank, null);
        return this;
    }

    /** Runs until nothing is left to happen, and demands that every node has finished by then. */
    public InCoreNetwork runToTheEnd(long maxSteps) {
        run(maxSteps);
        assertThat(finished).as("finished").doesNotContain(false);
        return this;
    }

    /** Runs until nothing is left to happen. */
    public InCoreNetwork run(long maxSteps) {
        for (int rank = 0; rank < nodes.size(); rank++) {
            perform(rank, nodes.get(rank).start(nowNanos));
        }
        for (Due due = agenda.poll(); due != null; due = agenda.poll()) {
            assertThat(++steps).as("steps").isLessThanOrEqualTo(maxSteps);
            nowNanos = due.atNanos;
            workInFlight.remove(due);
            if (due.event == null) {
                die(due.rank);
            } else if (!dead[due.rank] && !isVain(due)) {
                perform(due.rank, nodes.get(due.rank).handle(nowNanos, due.event));
                for (Checker checker : checkers) {
                    checker.afterStep(this, due.rank);
                }
            }
        }
        return this;
    }

    private void die(int rank) {
        dead[rank] = true;
        for (int peer : overlay.peers(rank)) {
            plan(arrive(rank, peer, nowNanos), peer, new Event.PeerLost(rank));
        }
        for (int other = 0; other < nodes.size(); other++) {
            if (other != rank) {
                plan(arrive(rank, other, nowNanos), other, new Event.NodeLost(rank));
            }
        }
    }

    private void perform(int rank, List<Action> actions) {
        for (Action action : actions) {
            if (action instanceof Action.Send send) {
                send(rank, send.toRank(), send.message());
            } else if (action instanceof Action.SendPiece send) {
                sendPiece(rank, send.toRank(), send.piece());
            } else if (action instanceof Action.SetTimer timer) {
                setTimer(rank, timer);
            } else if (action instanceof Action.CancelPiece) {
                // Here everything has left at once: it is too late.
            } else if (action instanceof Action.Completed) {
                assertThat(completedAtNanos[rank]).as("completed once").isEqualTo(-1);
                assertThat(nodes.get(rank).possession().isFull())
                        .as("completed with all pieces")
                        .isTrue();
                completedAtNanos[rank] = nowNanos;
            } else if (action instanceof Action.Finished) {
                assertThat(finished[rank]).as("finished once").isFalse();
                assertThat(completedAtNanos[rank])
                        .as("finished after completed")
                        .isNotEqualTo(-1);
                finished[rank] = true;
            } else if (action instanceof Action.Starved) {
                // Nobody repairs the overlay here: the dead may have been a cluster's only way to some piece.
                assertThat(dead).as("rank %s wants %s", rank, action).contains(true);
            } else {
                throw new AssertionError("rank " + rank + " wants " + action);
            }
        }
    }

    private void setTimer(int rank, Action.SetTimer timer) {
        assertThat(finished[rank]).as("timer set after finished").isFalse();
        timers.get(rank)
                .put(timer.key(), plan(Math.max(nowNanos, timer.atNanos()), rank, new Event.TimerFired(timer.key())));
    }

    /** Whether this is a timer that was set again, or belongs to a node that is finished. */
    private boolean isVain(Due due) {
        return due.event instanceof Event.TimerFired fired
                && (finished[due.rank] || !due.equals(timers.get(due.rank).get(fired.key())));
    }

    private void send(int fromRank, int toRank, Message message) {
        assertThat(finished[fromRank]).as("sent after finished").isFalse();
        if (mutesFoundWork && message instanceof Message.FoundWork) {
            return;
        }
        Due due = plan(arrive(fromRank, toRank, nowNanos), toRank, new Event.Received(fromRank, message));
        if (message instanceof Message.Work) {
            workInFlight.add(due);
        }
    }

    private void sendPiece(int fromRank, int toRank, int piece) {
        assertThat(nodes.get(fromRank).possession().contains(piece))
                .as("sends what it has")
                .isTrue();
        if (random.nextDouble() < faults.rejectChance) {
            send(fromRank, toRank, new Message.Reject(piece));
            return;
        }
        Line line = new Line(fromRank, toRank);
        int waiting = waiting(line);
        long outNanos = Math.max(nowNanos, cardOutFreeNanos[fromRank]) + fabric.cardNanos(fromRank);
        cardOutFreeNanos[fromRank] = outNanos;
        leaving.get(line).add(outNanos);
        long overNanos = Math.max(outNanos, linkFreeNanos.getOrDefault(line, 0L)) + fabric.linkNanos(fromRank, toRank);
        linkFreeNanos.put(line, overNanos);
        long inNanos = Math.max(overNanos, cardInFreeNanos[toRank]) + fabric.cardNanos(toRank);
        cardInFreeNanos[toRank] = inNanos;
        long hereNanos = arrive(fromRank, toRank, inNanos);
        plan(hereNanos, toRank, new Event.PieceBegun(fromRank, piece, waiting));
        long storedNanos = hereNanos + random.nextInt(50_000);
        if (!topology.sameCluster(fromRank, toRank)) {
            arrivals[topology.clusterOf(toRank)][piece]++;
        }
        boolean corrupt = random.nextDouble() < faults.corruptChance
                && corrupted.merge(line, 1, Integer::sum) <= CORRUPT_PIECES_PER_LINE;
        plan(
                storedNanos,
                toRank,
                corrupt ? new Event.PieceCorrupt(fromRank, piece) : new Event.PieceStored(fromRank, piece));
    }

    /** How many pieces that were asked for on this line have yet to leave their sender. */
    private int waiting(Line line) {
        ArrayDeque<Long> times = leaving.computeIfAbsent(line, any -> new ArrayDeque<>());
        while (!times.isEmpty() && times.getFirst() <= nowNanos) {
            times.removeFirst();
        }
        return times.size();
    }

    /** When something sent at this time arrives: never before what was sent earlier on the same line. */
    private long arrive(int fromRank, int toRank, long sentNanos) {
        long jitterNanos = random.nextInt(100_000);
        long earliestNanos = sentNanos + fabric.latencyNanos(fromRank, toRank) + jitterNanos;
        return lastArrivalNanos.merge(new Line(fromRank, toRank), earliestNanos, Math::max);
    }

    private Due plan(long atNanos, int rank, Event event) {
        Due due = new Due(atNanos, sequence++, rank, event);
        agenda.add(due);
        return due;
    }

    /** Work on its way to a member of this cluster. */
    public List<PieceSet> workInFlight(int cluster) {
        return workInFlight.stream()
                .filter(due -> topology.clusterOf(due.rank) == cluster)
                .map(due -> ((Message.Work) ((Event.Received) due.event).message()).pieces())
                .toList();
    }

    /** How often each piece was sent into this cluster from another one. */
    public int[] arrivals(int cluster) {
        return arrivals[cluster];
    }

    public MulticastNode node(int rank) {
        return nodes.get(rank);
    }

    public Topology topology() {
        return topology;
    }

    public long completedAtNanos(int rank) {
        return completedAtNanos[rank];
    }

    public long traceHash() {
        return trace.value();
    }
}
