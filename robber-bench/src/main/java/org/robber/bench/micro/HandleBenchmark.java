package org.robber.bench.micro;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;

/**
 * The cost of one event at a node of Robber, actions made but not performed. A node changes with every event, so each
 * invocation takes fresh ones (their making is not counted) through a batch; the figure is the time per event.
 *
 * <p>To compare with: the original implementation needs 1.2 us per message or pick at 2,048 pieces and 43 us at 131,072,
 * because its cost grows with the number of pieces.
 *
 * <pre>{@code robber-bench/bin/jmh HandleBenchmark}</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HandleBenchmark {
    private static final int EVENTS = 1024;
    private static final int VICTIMS = 16;
    private static final long SEED = 20_131;

    /** Peers announce piece after piece, more than can be asked for. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void have(Announcements state, Blackhole blackhole) {
        for (Event event : state.events) {
            blackhole.consume(state.node.handle(event));
        }
    }

    /** Requested pieces come; each makes the node ask for another and tell those who desire it. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void pieceStored(Arrivals state, Blackhole blackhole) {
        for (int i = 0; i < EVENTS; i++) {
            List<Action> actions = state.node.handle(state.outstanding.remove());
            state.await(actions);
            blackhole.consume(actions);
        }
    }

    /** Peers ask for pieces that the node has. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void request(Demands state, Blackhole blackhole) {
        for (Event event : state.events) {
            blackhole.consume(state.node.handle(event));
        }
    }

    /** A cluster mate takes half of the node's work: the largest messages that a node sends. */
    @Benchmark
    @OperationsPerInvocation(VICTIMS)
    public void steal(Victims state, Blackhole blackhole) {
        for (NodeFixture victim : state.nodes) {
            blackhole.consume(victim.handle(state.steal));
        }
    }

    /** Number of pieces, and what all states draw from. */
    @State(Scope.Thread)
    public abstract static class Pieces {
        /** Number of pieces. */
        @Param({"2048", "131072"})
        public int pieces;

        final SeededRandom random = new SeededRandom(SEED);

        Pieces() {}

        final int pick(int... ranks) {
            return ranks[random.nextInt(ranks.length)];
        }
    }

    /** A node that lacks everything, and what its peers announce. */
    @State(Scope.Thread)
    public static class Announcements extends Pieces {
        final Event[] events = new Event[EVENTS];
        NodeFixture node = new NodeFixture(PieceSet.empty(1));

        /** Makes the node and draws the events. */
        @Setup(Level.Invocation)
        public void prepare() {
            node = new NodeFixture(PieceSet.empty(pieces));
            for (int i = 0; i < EVENTS; i++) {
                int peer = pick(NodeFixture.peers());
                events[i] = new Event.Received(peer, new Message.Have(PieceSets.random(node.desireOf(peer), random)));
            }
        }
    }

    /** A node whose peers have offered much, want much, and have been asked for as much as may be. */
    @State(Scope.Thread)
    public static class Arrivals extends Pieces {
        final Queue<Event> outstanding = new ArrayDeque<>();
        NodeFixture node = new NodeFixture(PieceSet.empty(1));

        /** Makes the node and lets its peers say what they have and want. */
        @Setup(Level.Invocation)
        public void prepare() {
            node = new NodeFixture(PieceSet.empty(pieces));
            outstanding.clear();
            for (int peer : NodeFixture.peers()) {
                PieceSet possessed = PieceSets.halfway(pieces, 0.6, random);
                PieceSet lacking = PieceSet.full(pieces).andNot(possessed);
                await(node.handle(new Event.Received(peer, new Message.Desire(lacking))));
                await(node.handle(new Event.Received(peer, new Message.Bitfield(possessed.and(node.desireOf(peer))))));
            }
        }

        /** Notes the requests among the actions: their pieces come, in this order. */
        final void await(List<Action> actions) {
            for (Action action : actions) {
                if (action instanceof Action.Send send && send.message() instanceof Message.Request request) {
                    outstanding.add(new Event.PieceStored(send.toRank(), request.piece()));
                }
            }
        }
    }

    /** A node that has half of the pieces, and requests for some of them. */
    @State(Scope.Thread)
    public static class Demands extends Pieces {
        final Event[] events = new Event[EVENTS];
        NodeFixture node = new NodeFixture(PieceSet.empty(1));

        /** Makes the node and draws the events. */
        @Setup(Level.Invocation)
        public void prepare() {
            PieceSet possession = PieceSets.halfway(pieces, 0.5, random);
            node = new NodeFixture(possession);
            for (int i = 0; i < EVENTS; i++) {
                events[i] = new Event.Received(
                        pick(NodeFixture.peers()), new Message.Request(PieceSets.random(possession, random)));
            }
        }
    }

    /** Nodes with all their work before them, and a mate who asks for some. */
    @State(Scope.Thread)
    public static class Victims extends Pieces {
        final NodeFixture[] nodes = new NodeFixture[VICTIMS];
        final Event steal = new Event.Received(NodeFixture.localPeers()[0], new Message.Steal(0, 0));

        /** Makes the nodes. */
        @Setup(Level.Invocation)
        public void prepare() {
            for (int i = 0; i < VICTIMS; i++) {
                nodes[i] = new NodeFixture(PieceSet.empty(pieces));
            }
        }
    }
}
