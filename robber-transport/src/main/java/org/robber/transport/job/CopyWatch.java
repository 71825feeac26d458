package org.robber.transport.job;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.LostPieces;
import org.robber.core.piece.PieceSet;

/**
 * Finds out, at rank 0, that the last copy of pieces is gone: from the reports of nodes that starve, and from how far the others are. Not
 * thread-safe.
 */
final class CopyWatch {
    /** As many runs of pieces are named. */
    private static final int MOST_RUNS = 10;

    private final LostPieces copies;
    private final int pieceCount;
    private final boolean[] takesPart;
    private final List<Integer> lost = new ArrayList<>();

    /**
     * @param nodes of the job
     * @param members the ranks that take part in the multicast
     */
    CopyWatch(int nodes, int pieceCount, List<Integer> members) {
        this.copies = new LostPieces(nodes, pieceCount);
        this.pieceCount = pieceCount;
        this.takesPart = new boolean[nodes];
        members.forEach(rank -> takesPart[rank] = true);
        for (int rank = 0; rank < nodes; rank++) {
            if (!takesPart[rank]) {
                copies.lost(rank);
            }
        }
    }

    /** The report of a node that starves. */
    record Starved(int rank, String phase, PieceSet pieces) {

        byte[] encode() {
            byte[] name = phase.getBytes(StandardCharsets.UTF_8);
            int words = pieces.wordCount();
            ByteBuffer bytes = ByteBuffer.allocate(3 * Integer.BYTES + name.length + words * Long.BYTES);
            bytes.putInt(rank).putInt(pieces.capacity()).putInt(name.length).put(name);
            for (int index = 0; index < words; index++) {
                bytes.putLong(pieces.word(index));
            }
            return bytes.array();
        }

        /** Null if it is none. */
        static @Nullable Starved decode(byte[] payload) {
            ByteBuffer bytes = ByteBuffer.wrap(payload);
            try {
                int rank = bytes.getInt();
                int capacity = bytes.getInt();
                int nameBytes = bytes.getInt();
                if (capacity < 0 || nameBytes < 0 || nameBytes > bytes.remaining()) {
                    return null;
                }
                byte[] name = new byte[nameBytes];
                bytes.get(name);
                long[] words = new long[bytes.remaining() / Long.BYTES];
                if (words.length != (capacity + Long.SIZE - 1L) / Long.SIZE) {
                    return null;
                }
                bytes.asLongBuffer().get(words);
                return new Starved(rank, new String(name, StandardCharsets.UTF_8), PieceSet.ofWords(capacity, words));
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                return null;
            }
        }
    }

    /** The node starves; of no effect if what it lacks can't belong to this multicast. */
    void starved(Starved node) {
        if (node.rank() >= 0 && node.rank() < takesPart.length && node.pieces().capacity() == pieceCount) {
            copies.starved(node.rank(), node.pieces());
        }
    }

    /** The node has got more, or all. */
    void progressed(int rank, boolean complete) {
        if (complete) {
            copies.completed(rank);
        } else {
            copies.progressed(rank);
        }
    }

    /** The node is gone for good. */
    void lost(int rank) {
        if (takesPart[rank]) {
            lost.add(rank);
        }
        copies.lost(rank);
    }

    /** The nodes that were lost before the last copies of pieces are known to be lost. */
    List<Integer> lost() {
        return List.copyOf(lost);
    }

    /** The pieces of which the last copy is lost, for people, such as {@code 3 of 512 pieces (7-9)}; null if there are none. */
    @Nullable
    String gone() {
        PieceSet gone = copies.lostEverywhere();
        if (gone.isEmpty()) {
            return null;
        }
        List<String> runs = new ArrayList<>();
        for (int from = gone.first(); from >= 0 && runs.size() < MOST_RUNS; ) {
            int to = gone.nextMissingFrom(from);
            runs.add(to - from == 1 ? "" + from : from + "-" + (to - 1));
            from = gone.nextFrom(to);
            if (from >= 0 && runs.size() == MOST_RUNS) {
                runs.add("...");
            }
        }
        return gone.size() + " of " + pieceCount + " pieces (" + String.join(", ", runs) + ")";
    }
}
