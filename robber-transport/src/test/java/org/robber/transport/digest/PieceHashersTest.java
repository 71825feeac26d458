package org.robber.transport.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PieceHashersTest {

    static Stream<PieceHasher> hashers() {
        return PieceHashers.names().stream().map(PieceHashers::named);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "crc32-pair, '', 0000000000000000",
        "crc32-pair, 123456789, cbf43926e3069283",
        "xxh3-128, '', 99aa06d3014798d86001c324468d497f",
        "xxh3-128, a, a96faf705af16834e6c632b61e964e1f",
        "xxh3-128, abc, 06b05ab6733a618578af5f94892f3950",
        "sha256, '', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha256, abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    })
    void giveThePublishedValues(String name, String text, String digest) {
        assertThat(hex(PieceHashers.named(name).hash(ByteBuffer.wrap(text.getBytes(US_ASCII)))))
                .isEqualTo(digest);
    }

    /** The test buffer and some values of the reference implementation's own check. */
    @ParameterizedTest
    @CsvSource({
        "1, a6cd5e9392000f6ac44bdff4074eecdb",
        "6, 082afe0b8162d12a3e7039bdda43cfc6",
        "12, 6e3efd8fc7802b18061a192713f69ad9",
        "2048, f736557fd47073a5dd59e2c3a5f038e0",
        "2367, e89c0f6ff369b427cb37aeb9e5d361ed",
    })
    void xxh3AgreesWithItsReference(int length, String digest) {
        byte[] data = new byte[length];
        long state = 2654435761L;
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (state >>> 56);
            state *= 0x9E3779B185EBCA8DL;
        }
        assertThat(hex(PieceHashers.named("xxh3-128").hash(ByteBuffer.wrap(data))))
                .isEqualTo(digest);
    }

    @ParameterizedTest
    @MethodSource("hashers")
    void hashAnyKindOfBufferAlike(PieceHasher hasher) {
        Random random = new Random(7);
        for (int length : new int[] {0, 1, 16, 240, 1024, 8191, 8192, 8193, 16384, 100_003}) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            byte[] expected = hasher.hash(ByteBuffer.wrap(data));
            assertThat(expected).hasSize(hasher.digestBytes());

            for (ByteBuffer whole :
                    new ByteBuffer[] {ByteBuffer.allocate(length + 9), ByteBuffer.allocateDirect(length + 9)}) {
                ByteBuffer part = whole.slice(2, length + 5);
                part.position(3).put(data).flip().position(3);
                assertThat(hasher.hash(part)).as("%s bytes of %s", length, part).isEqualTo(expected);
                assertThat(hasher.hash(part.asReadOnlyBuffer())).isEqualTo(expected);
                assertThat(part.position()).isEqualTo(3);
                assertThat(part.remaining()).isEqualTo(length);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("hashers")
    void tellOneBitApart(PieceHasher hasher) {
        byte[] data = new byte[50_000];
        byte[] before = hasher.hash(ByteBuffer.wrap(data));
        data[33_333] ^= 4;
        assertThat(hasher.hash(ByteBuffer.wrap(data))).isNotEqualTo(before);
        assertThat(hasher.hashAll(data)).isEqualTo(hasher.hash(ByteBuffer.wrap(data)));
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> PieceHashers.named("md5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("md5")
                .hasMessageContaining("crc32-pair, xxh3-128, sha256");
    }
}
