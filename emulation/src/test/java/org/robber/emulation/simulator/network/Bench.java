package org.robber.emulation.simulator.network;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.agenda.Agenda;

/** A network without nodes: what arrives is written down. */
final class Bench implements Receiver {
    static final int PIECE_BYTES = 100_000;

    /** A window that is never full, and packets whose heads hardly count. */
    static final NetworkOptions WIDE = new NetworkOptions(
            9000, 50_000, 50_000_000, 1000, 1 << 30, 1 << 19, 1 << 17, 1 << 18, 1 << 16, NodeSendLimits.NONE);

    /** A new connection, whatever the defaults are. */
    static final NetworkOptions PLAIN = new NetworkOptions(
            9000, 50_000, 50_000_000, 10, 4 << 20, 1 << 19, 1 << 18, 1 << 18, 1 << 16, NodeSendLimits.NONE);

    final Agenda agenda = new Agenda();
    final Network network;

    /** When pieces arrived, by receiver and piece. */
    final Map<String, Long> pieceNanos = new LinkedHashMap<>();

    final List<Long> messageNanos = new ArrayList<>();
    final List<Integer> endedBy = new ArrayList<>();

    Bench(Scenario scenario, NetworkOptions options) {
        PieceLayout layout = new PieceLayout(1000L * PIECE_BYTES, PIECE_BYTES);
        network = new Network(scenario, agenda, layout, options, ImmutableSortedSet.of(), new SeededRandom(1));
    }

    /** The direction between these two. */
    Connection connect(int fromRank, int toRank) {
        Connection up = network.connect(Math.min(fromRank, toRank), Math.max(fromRank, toRank), this, this);
        return fromRank < toRank ? up : up.back();
    }

    /** Sends that many pieces, numbered from 0. */
    void send(Connection connection, int pieces) {
        for (int piece = 0; piece < pieces; piece++) {
            connection.sendPiece(piece);
        }
    }

    /** Lets something happen later. */
    void at(long nanos, Runnable effect) {
        agenda.at(nanos, effect);
    }

    void run() {
        while (agenda.step()) {
            // one more
        }
    }

    void runUntil(long nanos) {
        while (!agenda.isEmpty() && agenda.nextNanos() <= nanos) {
            agenda.step();
        }
    }

    double seconds(int toRank, int piece) {
        return pieceNanos.get(toRank + "/" + piece) / 1e9;
    }

    /** How many pieces have arrived there. */
    long arrived(int toRank) {
        return pieceNanos.keySet().stream()
                .filter(key -> key.startsWith(toRank + "/"))
                .count();
    }

    @Override
    public void received(Connection connection, Message message, long nowNanos) {
        messageNanos.add(nowNanos);
    }

    @Override
    public void pieceArrived(Connection connection, int piece, int waiting, long nowNanos) {
        pieceNanos.put(connection.toRank() + "/" + piece, nowNanos);
    }

    @Override
    public void ended(Connection connection) {
        endedBy.add(connection.fromRank());
    }
}
