package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceMaps;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class PieceSetCodecTest {

    @ParameterizedTest
    @CsvSource({
        "'', 00 00000000",
        "., 00 00000001",
        "#, 01 00000001 01",
        "...#...., 01 00000008 08",
        "####### ####### ##, 00 00000010 00 10",
        "#.............. #, 01 00000010 01 80",
        "........ ........ ........ ....###., 00 00000020 1C 03",
        "#....... ........ ........ #......., 00 00000020 00 01 17 01",
        "#....... ........ ........ #.#....., 01 00000020 01 00 00 05",
        "........ .#...... ........ ........ ........ ........ ........ ........ ........ #, 00 00000049 09 01 3E 01",
        "#.#.#.#. .#.#.#.# #.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#. ##., 01 00000043 55AA555555555555 03",
    })
    void takesTheShorterForm(String drawing, String hex) {
        PieceSet set = PieceMaps.parse(drawing);
        assertThat(Golden.hex(encode(set))).isEqualTo(hex.replace(" ", ""));
        assertThat(decode(set.capacity(), Golden.bytes(hex))).isEqualTo(set);
    }

    @ParameterizedTest(name = "of {1}: {2}: {3}")
    @CsvSource({
        "OUT_OF_RANGE, 10, 00 0000000A 00 0B, range beyond the end",
        "OUT_OF_RANGE, 10, 00 0000000A 0A 01, gap up to the end",
        "OUT_OF_RANGE, 64, 00 00000040 FFFFFF7F FFFFFF7F, numbers as large as they get",
        "OUT_OF_RANGE, 64, 00 00000040 FFFFFFFF 01 01, number of 5 bytes",
        "MALFORMED, 10, 00 0000000A 00 00, empty range",
        "MALFORMED, 32, 00 00000020 00 01 00 01, ranges that touch",
        "MALFORMED, 32, 00 00000020 8000 01, number longer than needed",
        "TRUNCATED, 10, 00 0000000A 01, gap without a length",
        "TRUNCATED, 10, 00 0000000A 01 80, number without an end",
        "TRUNCATED, 10, 01 0000000A 01, bitmap cut short",
        "OVERSIZED, 10, 01 0000000A 010000, more than the bitmap",
        "OVERSIZED, 10, 00 0000000A 00 01 01 01, ranges longer than the bitmap",
        "OUT_OF_RANGE, 10, 01 0000000A 0004, bit 10 of 10",
        "OUT_OF_RANGE, 65, 01 00000041 000000000000000002, bit 65 of 65",
        "WRONG_CAPACITY, 10, 00 00000009, another capacity",
        "WRONG_CAPACITY, 10, 00 7FFFFFFF, another capacity",
        "MALFORMED, 10, FF 0000000A, unknown form",
        "TRUNCATED, 10, 00 0000, capacity cut short",
    })
    void refusesWhatNoSenderProduces(WireError error, int capacity, String hex, String why) {
        assertThat(why).isNotEmpty();
        assertThatThrownBy(() -> decode(capacity, Golden.bytes(hex)))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void bitmapsAreReadWhereRangesWouldBeShorter() {
        assertThat(PieceMaps.draw(decode(24, Golden.bytes("01 00000018 FFFFFF"))))
                .isEqualTo("#".repeat(24));
    }

    @Test
    void randomSetsComeBackAsTheyWere() {
        SeededRuns.run(2000, random -> {
            PieceSet set = randomSet(random);
            ByteBuffer bytes = encode(set);
            assertThat(bytes.remaining()).isLessThanOrEqualTo(PieceSetCodec.maxBytes(set.capacity()));
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            assertThat(decode(set.capacity(), array)).isEqualTo(set);
        });
    }

    @Test
    void theLargestSetsFit() {
        int capacity = PieceLayout.MAX_PIECES;
        assertThat(encode(PieceSet.full(capacity)).remaining()).isEqualTo(5 + 1 + 4);
        PieceSet halves = PieceSet.empty(capacity);
        for (int piece = 0; piece < capacity; piece += 2) {
            halves.add(piece);
        }
        ByteBuffer bytes = encode(halves);
        assertThat(bytes.remaining()).isEqualTo(5 + (2 << 20));
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        assertThat(decode(capacity, array)).isEqualTo(halves);
    }

    private static PieceSet randomSet(SeededRandom random) {
        int capacity = random.nextInt(1 + (1 << random.nextInt(15)));
        PieceSet set = PieceSet.empty(capacity);
        int ranges = random.nextInt(1 + (1 << random.nextInt(9)));
        for (int i = 0; i < ranges; i++) {
            int from = random.nextInt(capacity + 1);
            int to = Math.min(capacity, from + random.nextInt(1 + (1 << random.nextInt(12))));
            set.addRange(from, to);
        }
        return set;
    }

    private static ByteBuffer encode(PieceSet set) {
        ByteBuffer out = ByteBuffer.allocate(PieceSetCodec.encodedBytes(set));
        PieceSetCodec.encode(set, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.flip();
    }

    private static PieceSet decode(int capacity, byte[] bytes) {
        FieldReader in = new FieldReader("set", ByteBuffer.wrap(bytes));
        PieceSet set = PieceSetCodec.decode(in, capacity);
        in.end();
        return set;
    }
}
