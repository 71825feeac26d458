package org.robber.transport.storage.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.storage.record.PieceJournal.Content;
import org.robber.transport.storage.record.PieceJournal.Head;

/** What is in the file of a journal, and when: a process that is killed leaves no more than that. */
class PieceJournalTest {
    private static final int PIECE_BYTES = 1 << 16;
    private static final int PIECES_PER_WRITE = PieceJournal.MOST_UNRECORDED_BYTES / PIECE_BYTES;
    private static final PieceLayout LAYOUT = new PieceLayout(1000L * PIECE_BYTES, PIECE_BYTES);
    private static final Head HEAD = new Head(new byte[7], LAYOUT, 0, "crc32-pair", 8);

    @TempDir
    Path folder;

    private PieceJournal begin() throws IOException {
        return PieceJournal.begin(file(), HEAD, new DigestTable(LAYOUT.pieceCount(), 8));
    }

    private Path file() {
        return folder.resolve("journal");
    }

    private DigestTable inFile() throws IOException {
        Content content = PieceJournal.read(file());
        if (content == null) {
            throw new AssertionError("no journal");
        }
        return content.digests();
    }

    private PieceSet known() throws IOException {
        return inFile().known();
    }

    private static void append(PieceJournal journal, int from, int to) throws IOException {
        for (int piece = from; piece < to; piece++) {
            journal.append(piece, new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) piece});
        }
    }

    @Test
    void aKillLosesTheRecordsOfOneMebibyteAtMost() throws IOException {
        try (PieceJournal journal = begin()) {
            for (int piece = 0; piece < 10 * PIECES_PER_WRITE; piece++) {
                append(journal, piece, piece + 1);
                assertThat(known().size()).isGreaterThan(piece + 1 - PIECES_PER_WRITE);
            }
        }
    }

    @Test
    void manyPiecesShareAWrite() throws IOException {
        try (PieceJournal journal = begin()) {
            append(journal, 0, PIECES_PER_WRITE - 1);
            assertThat(known().isEmpty()).isTrue();
            append(journal, PIECES_PER_WRITE - 1, PIECES_PER_WRITE);
            assertThat(known().size()).isEqualTo(PIECES_PER_WRITE);
        }
    }

    @Test
    void shortPiecesDoNotExceedTheMemory() throws IOException {
        PieceLayout layout = new PieceLayout(1000, 1);
        Head head = new Head(new byte[7], layout, 0, "crc32-pair", 8);
        try (PieceJournal journal = PieceJournal.begin(file(), head, new DigestTable(1000, 8))) {
            for (int piece = 0; piece < 1000; piece++) {
                journal.append(piece, new byte[8]);
            }
        }
        assertThat(known().size()).isEqualTo(1000);
    }

    @Test
    void flushAndCloseWriteTheRest() throws IOException {
        try (PieceJournal journal = begin()) {
            append(journal, 0, 3);
            journal.flush();
            assertThat(known().size()).isEqualTo(3);
            append(journal, 3, 5);
        }
        assertThat(known().size()).isEqualTo(5);
        assertThat(inFile().get(4)).containsExactly(1, 2, 3, 4, 5, 6, 7, 4);
    }

    @Test
    void whatAnEarlierRunKnewIsThereAtOnce() throws IOException {
        DigestTable known = new DigestTable(LAYOUT.pieceCount(), 8);
        known.set(17, new byte[8]);
        try (PieceJournal journal = PieceJournal.begin(file(), HEAD, known)) {
            assertThat(known().contains(17)).isTrue();
            append(journal, 18, 19);
        }
        assertThat(known().size()).isEqualTo(2);
    }
}
