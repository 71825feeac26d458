package org.robber.transport.job.progress;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.LostPieces;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;

/**
 * Finds out, at rank 0, that the last copy of pieces is gone: from the reports of nodes that starve, and from how far the others are. Not
 * thread-safe.
 */
public final class CopyWatch {
    /** As many runs of pieces are named. */
    private static final int MOST_RUNS = 10;

    private final LostPieces copies;
    private final int pieceCount;
    private final List<Integer> members;
    private final List<Integer> lost = new ArrayList<>();

    /**
     * @param members the ranks that take part in the call, by number
     * @param placement by the numbers of members
     */
    CopyWatch(List<Integer> members, DataPlacement placement) {
        this.copies = new LostPieces(members.size(), placement);
        this.pieceCount = placement.pieceCount();
        this.members = members;
    }

    /** Negative if the node takes no part. */
    private int number(int rank) {
        return Collections.binarySearch(members, rank);
    }

    /** The report of a node that starves. If it has very many pieces, it tells of the first ones alone. */
    public record Starved(int rank, String phase, PieceSet pieces) {
        /** So many have room in a publication. */
        private static final int MOST_WORDS = 100_000;

        public byte[] encode() {
            byte[] name = phase.getBytes(StandardCharsets.UTF_8);
            int words = Math.min(MOST_WORDS, pieces.wordCount());
            ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + name.length + words * Long.BYTES);
            bytes.putInt(pieces.capacity()).putInt(name.length).put(name);
            for (int index = 0; index < words; index++) {
                bytes.putLong(pieces.word(index));
            }
            return bytes.array();
        }

        /** What this node has published; null if it is none. */
        public static @Nullable Starved decode(int rank, byte[] payload) {
            ByteBuffer bytes = ByteBuffer.wrap(payload);
            try {
                int capacity = bytes.getInt();
                int nameBytes = bytes.getInt();
                if (capacity < 0
                        || capacity > PieceLayout.MAX_PIECES
                        || nameBytes < 0
                        || nameBytes > bytes.remaining()) {
                    return null;
                }
                byte[] name = new byte[nameBytes];
                bytes.get(name);
                long[] words = new long[(int) ((capacity + Long.SIZE - 1L) / Long.SIZE)];
                int told = Math.min(MOST_WORDS, words.length);
                if (bytes.remaining() != told * Long.BYTES) {
                    return null;
                }
                bytes.asLongBuffer().get(words, 0, told);
                return new Starved(rank, new String(name, StandardCharsets.UTF_8), PieceSet.ofWords(capacity, words));
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                return null;
            }
        }
    }

    /** The node starves; of no effect if what it lacks can't belong to this multicast. */
    void starved(Starved node) {
        int number = number(node.rank());
        if (number >= 0 && node.pieces().capacity() == pieceCount) {
            copies.starved(number, node.pieces());
        }
    }

    /** The node has got more, or all. */
    void progressed(int rank, boolean complete) {
        int number = number(rank);
        if (number >= 0 && complete) {
            copies.completed(number);
        } else if (number >= 0) {
            copies.progressed(number);
        }
    }

    /** The node is gone for good. */
    void lost(int rank) {
        int number = number(rank);
        if (number >= 0) {
            lost.add(rank);
            copies.lost(number);
        }
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
