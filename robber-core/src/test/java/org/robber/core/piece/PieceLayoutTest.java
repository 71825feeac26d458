package org.robber.core.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.random.SeededRuns;

class PieceLayoutTest {

    private static final long GIB = 1L << 30;

    @ParameterizedTest(name = "{0} bytes in pieces of {1}")
    @CsvSource({
        "0, 1, 0, 0",
        "0, 32768, 0, 0",
        "1, 1, 1, 1",
        "1, 32768, 1, 1",
        "32767, 32768, 1, 32767",
        "32768, 32768, 1, 32768",
        "32769, 32768, 2, 1",
        "65536, 32768, 2, 32768",
        "16777216, 1, 16777216, 1",
        "2147483648, 1048576, 2048, 1048576",
        "2147483649, 1048576, 2049, 1",
        "5000000000000, 4194304, 1192093, 3756032",
        "36028797002186752, 2147483647, 16777216, 2147483647",
    })
    void cutsIntoPieces(long totalBytes, int pieceBytes, int pieceCount, int lastBytes) {
        PieceLayout layout = new PieceLayout(totalBytes, pieceBytes);
        assertThat(layout.pieceCount()).isEqualTo(pieceCount);
        if (pieceCount > 0) {
            assertThat(layout.lengthBytes(pieceCount - 1)).isEqualTo(lastBytes);
            assertThat(layout.offsetBytes(pieceCount - 1) + lastBytes).isEqualTo(totalBytes);
        }
    }

    @Test
    void piecesFollowOneAnotherWithoutGaps() {
        SeededRuns.run(200, random -> {
            PieceLayout layout = new PieceLayout(random.nextInt(10_000), 1 + random.nextInt(300));
            long next = 0;
            for (int piece = 0; piece < layout.pieceCount(); piece++) {
                assertThat(layout.offsetBytes(piece)).isEqualTo(next);
                assertThat(layout.lengthBytes(piece)).isBetween(1, layout.pieceBytes());
                next += layout.lengthBytes(piece);
            }
            assertThat(next).isEqualTo(layout.totalBytes());
        });
    }

    @Test
    void refusesWhatIsNoLayout() {
        assertThatThrownBy(() -> new PieceLayout(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PieceLayout(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PieceLayout(PieceLayout.MAX_PIECES + 1L, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 16777216 pieces");
        assertThatThrownBy(() -> new PieceLayout(Long.MAX_VALUE, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesPiecesThatAreNotThere() {
        PieceLayout layout = new PieceLayout(100, 10);
        assertThatThrownBy(() -> layout.offsetBytes(10)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> layout.lengthBytes(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new PieceLayout(0, 10).lengthBytes(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({
        "0, 32768",
        "1, 32768",
        "16777216, 32768", // exactly 512 pieces
        "16777217, 65536",
        "268435456, 524288", // 512 pieces of the largest size that is chosen for few pieces
        "268435457, 524288",
        "2147483648, 524288", // exactly 4,096 pieces
        "2147483649, 1048576",
        "17179869184, 4194304",
        "17179869185, 4194304",
        "70368744177664, 4194304", // exactly MAX_PIECES pieces of the largest size that is chosen for its own sake
        "70368744177665, 8388608",
        "18014398509481984, 1073741824",
    })
    void choosesAPieceSize(long totalBytes, int pieceBytes) {
        assertThat(PieceLayout.automatic(totalBytes, 0)).isEqualTo(new PieceLayout(totalBytes, pieceBytes));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 32768",
        "2097152, 32768", // exactly 64 pieces
        "2097153, 65536",
        "268435456, 4194304",
        "1099511627776, 4194304",
        "70368744177665, 8388608", // one byte more than MAX_PIECES pieces of 4 MiB
    })
    void choosesLargerPiecesInsideAMachine(long totalBytes, int pieceBytes) {
        assertThat(PieceLayout.insideMachine(totalBytes)).isEqualTo(new PieceLayout(totalBytes, pieceBytes));
    }

    @Test
    void choosesAtMost4096PiecesUpTo16GiB() {
        SeededRuns.run(1000, random -> {
            long totalBytes = random.nextLong() >>> (30 + random.nextInt(20));
            if (totalBytes <= 16 * GIB) {
                assertThat(PieceLayout.automatic(totalBytes, 0).pieceCount()).isLessThanOrEqualTo(4096);
            }
        });
    }

    @Test
    void refusesDataThatNoPieceSizeFits() {
        assertThatThrownBy(() -> PieceLayout.automatic((1L << 54) + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PieceLayout.automatic(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        // Test case 1 of the paper with 4 and with 16 nodes in each of its four clusters.
        "600000000, 12, 131072",
        "268435456, 12, 65536",
        "600000000, 48, 32768",
        // Two clusters of four.
        "316669952, 4, 262144",
        "1000000, 12, 32768",
        "1000000000, 9900, 32768",
        "18014398509481984, 12, 1073741824",
    })
    void choosesSmallerPiecesForLinesBetweenClusters(long totalBytes, int linesIntoCluster, int pieceBytes) {
        assertThat(PieceLayout.automatic(totalBytes, linesIntoCluster))
                .isEqualTo(new PieceLayout(totalBytes, pieceBytes));
    }

    @Test
    void countsForLinesWhatCrossesThem() {
        assertThat(PieceLayout.automatic(600_000_000, 112_500_000, 12).pieceBytes())
                .isEqualTo(32 << 10);
        assertThat(PieceLayout.automatic(600_000_000, 0, 0)).isEqualTo(PieceLayout.automatic(600_000_000, 0));
    }
}
