package org.robber.transport.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.google.common.io.BaseEncoding;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class ManifestCodecTest {
    private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
    private static final String HEAD = "524d414e01";

    private static final long SEED = SeededRuns.firstSeed();

    private static byte[] hex(String text) {
        return HEX.decode(text.replace(" ", ""));
    }

    @Test
    void hasTheseBytes() {
        Manifest manifest = new ManifestBuilder()
                .directory("d".getBytes(UTF_8), new EntryAttributes(0755, 100, 7))
                .file("f".getBytes(UTF_8), new EntryAttributes(04644, 99, 0), 300)
                .endDirectory()
                .symlink("l".getBytes(UTF_8), new EntryAttributes(0777, 99, 0), "/x".getBytes(UTF_8))
                .build();
        byte[] golden =
                hex(HEAD + "03" + "01 0164 ed03 c801 07" + "00 0166 a413 01 00 ac02" + "06 016c ff03 00 00 022f78");

        assertThat(ManifestCodec.encode(manifest)).isEqualTo(golden);
        assertThat(ManifestCodec.decode(golden)).isEqualTo(manifest);
    }

    @Test
    void readsFromTheMiddleOfABuffer() {
        Manifest manifest = RandomManifests.next(new SeededRandom(1), 20);
        byte[] encoded = ManifestCodec.encode(manifest);
        ByteBuffer buffer = ByteBuffer.allocateDirect(encoded.length + 8).position(3);
        buffer.put(encoded).flip().position(3);

        assertThat(ManifestCodec.decode(buffer)).isEqualTo(manifest);
        assertThat(buffer.position()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing at all                 |''",
                "other magic                    |524d414d0100",
                "another version                |524d414e0200",
                "no count                       |524d414e01",
                "more entries than bytes        |524d414e01 ffffff07",
                "count beyond 64 bits           |524d414e01 ffffffffffffffffff7f",
                "count without an end           |524d414e01 80808080808080808080808080",
                "count in a longer form         |524d414e01 8000",
                "bytes behind the end           |524d414e01 00 00",
                "unknown kind                   |524d414e01 01 03 0161 00 00 00 00",
                "two dots                       |524d414e01 01 00 022e2e 00 00 00 00",
                "a dot                          |524d414e01 01 01 012e 00 00 00",
                "a slash                        |524d414e01 01 00 03612f62 00 00 00 00",
                "an absolute name               |524d414e01 01 00 022f61 00 00 00 00",
                "a NUL                          |524d414e01 01 00 0100 00 00 00 00",
                "an empty name                  |524d414e01 01 00 00 00 00 00 00",
                "an empty name, second          |524d414e01 02 01 00 00 00 00 01 00 00 00 00",
                "up from the top                |524d414e01 01 04 0161 00 00 00 00",
                "up twice                       |524d414e01 02 01 0161 00 00 00 08 0162 00 00 00 00",
                "up out of the root             |524d414e01 02 01 00 00 00 00 04 0162 00 00 00 00",
                "a duplicate                    |524d414e01 02 00 0161 00 00 00 00 00 0161 00 00 00 00",
                "a descending name              |524d414e01 02 00 0162 00 00 00 00 00 0161 00 00 00 00",
                "a mode too large               |524d414e01 01 00 0161 8020 00 00 00",
                "a second too long              |524d414e01 01 00 0161 00 00 8094ebdc03 00",
                "an mtime beyond all ages       |524d414e01 01 00 0161 00 ffffffffffffffffff01 00 00",
                "a negative size                |524d414e01 01 00 0161 00 00 00 ffffffffffffffffff01",
                "sizes that overflow together   |524d414e01 02 00 0161 00 00 00 ffffffffffffff1f 00 0162 00 00 00"
                        + " ffffffffffffff1f",
                "a link to nowhere              |524d414e01 01 02 016c 00 00 00 00",
                "a link with a NUL              |524d414e01 01 02 016c 00 00 00 0100",
                "a name longer than the rest    |524d414e01 01 00 7f61 00 00 00 00",
                "a name too long                |524d414e01 01 00 8002 61 00 00 00 00",
            })
    void refuses(String what, String encoded) {
        assertThatThrownBy(() -> ManifestCodec.decode(hex(encoded)))
                .as(what)
                .isExactlyInstanceOf(ManifestException.class);
    }

    @Test
    void refusesEveryTruncation() {
        byte[] encoded = ManifestCodec.encode(RandomManifests.next(new SeededRandom(SEED), 40));
        for (int length = 0; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> ManifestCodec.decode(truncated))
                    .as("-Drobber.seed=%s, %s bytes", SEED, length)
                    .isExactlyInstanceOf(ManifestException.class);
        }
    }

    @Test
    void roundTrips() {
        for (int i = 0; i < 300; i++) {
            Manifest manifest = RandomManifests.next(SeededRandom.forUse(SEED, i), 200);
            assertThat(ManifestCodec.decode(ManifestCodec.encode(manifest)))
                    .as("-Drobber.seed=%s, tree %s", SEED, i)
                    .isEqualTo(manifest);
        }
    }

    /** Whatever happens to the bytes: one kind of exception, or a manifest whose only form these bytes are. */
    @Test
    void survivesMutations() {
        SeededRandom random = new SeededRandom(SEED);
        int decoded = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] bytes = ManifestCodec.encode(RandomManifests.next(random, 12));
            for (int mutations = 1 + random.nextInt(4); mutations > 0; mutations--) {
                bytes = mutate(bytes, random);
            }
            try {
                Manifest manifest = ManifestCodec.decode(bytes);
                decoded++;
                assertThat(ManifestCodec.encode(manifest)).isEqualTo(bytes);
            } catch (ManifestException expected) {
                assertThat(expected).hasMessageMatching(".+");
            } catch (RuntimeException | Error e) {
                fail("-Drobber.seed=" + SEED + ": " + HEX.encode(bytes), e);
            }
        }
        assertThat(decoded).as("some mutations are harmless").isPositive();
    }

    private static byte[] mutate(byte[] bytes, SeededRandom random) {
        int at = random.nextInt(bytes.length);
        byte[] result;
        switch (random.nextInt(4)) {
            case 0 -> {
                result = bytes.clone();
                result[at] ^= (byte) (1 << random.nextInt(8));
            }
            case 1 -> {
                result = bytes.clone();
                result[at] = (byte) random.nextInt(256);
            }
            case 2 -> {
                result = Arrays.copyOf(bytes, bytes.length + 1);
                System.arraycopy(bytes, at, result, at + 1, bytes.length - at);
            }
            default -> {
                result = Arrays.copyOf(bytes, Math.max(1, bytes.length - 1));
                System.arraycopy(
                        bytes,
                        Math.min(at + 1, bytes.length),
                        result,
                        Math.min(at, result.length),
                        Math.max(0, bytes.length - at - 1));
            }
        }
        return result;
    }

    @Test
    void isCompact() {
        ManifestBuilder builder = new ManifestBuilder();
        for (int directory = 0; directory < 1000; directory++) {
            builder.directory(
                    "directory-%04d".formatted(directory).getBytes(UTF_8), new EntryAttributes(0755, 1_760_000_000, 0));
            for (int file = 0; file < 100; file++) {
                builder.file(
                        "file-%06d.dat".formatted(file).getBytes(UTF_8),
                        new EntryAttributes(0644, 1_760_000_000 + file, 999_999_000 + file),
                        100_000);
            }
            builder.endDirectory();
        }
        Manifest manifest = builder.build();
        byte[] encoded = ManifestCodec.encode(manifest);

        assertThat(encoded.length).isLessThan(101_000 * 32);
        assertThat(ManifestCodec.decode(encoded)).isEqualTo(manifest);
    }
}
