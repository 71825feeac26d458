package org.robber.transport.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
    private static final EntryAttributes PLAIN = new EntryAttributes(0644, 1_700_000_000, 123_456_789);

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static Manifest sample() {
        return new ManifestBuilder()
                .directory(bytes("top"), new EntryAttributes(0755, 5, 0))
                .file(bytes("a"), PLAIN, 10)
                .directory(bytes("b"), PLAIN)
                .file(bytes("empty"), PLAIN, 0)
                .file(bytes("inner"), PLAIN, 7)
                .endDirectory()
                .symlink(bytes("c"), PLAIN, bytes("../elsewhere"))
                .file(bytes("d"), PLAIN, 3)
                .endDirectory()
                .build();
    }

    @Test
    void knowsItsEntries() {
        Manifest manifest = sample();

        assertThat(manifest.entryCount()).isEqualTo(7);
        assertThat(manifest.totalBytes()).isEqualTo(20);
        assertThat(manifest.isRooted()).isFalse();
        assertThat(manifest.isSingle()).isFalse();
        assertThat(manifest.pathText(4)).isEqualTo("top/b/inner");
        assertThat(manifest.name(4)).isEqualTo(bytes("inner"));
        assertThat(manifest.parent(4)).isEqualTo(2);
        assertThat(manifest.kind(5)).isEqualTo(EntryKind.SYMLINK);
        assertThat(manifest.name(5)).isEqualTo(bytes("c"));
        assertThat(manifest.linkTarget(5)).isEqualTo(bytes("../elsewhere"));
        assertThat(manifest.attributes(0)).isEqualTo(new EntryAttributes(0755, 5, 0));
        assertThat(manifest.subtreeEnd(0)).isEqualTo(7);
        assertThat(manifest.subtreeEnd(2)).isEqualTo(5);
        assertThat(manifest.subtreeEnd(5)).isEqualTo(6);
    }

    @Test
    void concatenatesItsFiles() {
        Manifest manifest = sample();

        assertThat(manifest.offsetBytes(1)).isZero();
        assertThat(manifest.offsetBytes(4)).isEqualTo(10);
        assertThat(manifest.offsetBytes(6)).isEqualTo(17);
        assertThat(manifest.sizeBytes(4)).isEqualTo(7);
        assertThat(manifest.sizeBytes(2)).isZero();
        assertThat(manifest.fileAt(0)).isEqualTo(1);
        assertThat(manifest.fileAt(9)).isEqualTo(1);
        assertThat(manifest.fileAt(10)).as("not the empty file before it").isEqualTo(4);
        assertThat(manifest.fileAt(17)).isEqualTo(6);
        assertThat(manifest.fileAt(19)).isEqualTo(6);
        assertThatThrownBy(() -> manifest.fileAt(20)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofContentsBeginsWithTheRoot() {
        Manifest manifest = new ManifestBuilder()
                .root(PLAIN)
                .directory(bytes("d"), PLAIN)
                .file(bytes("f"), PLAIN, 1)
                .build();

        assertThat(manifest.isRooted()).isTrue();
        assertThat(manifest.pathText(0)).isEqualTo(".");
        assertThat(manifest.path(0)).isEmpty();
        assertThat(manifest.pathText(2)).isEqualTo("d/f");
    }

    @Test
    void oneFileIsSingle() {
        assertThat(new ManifestBuilder().file(bytes("f"), PLAIN, 1).build().isSingle())
                .isTrue();
        assertThat(new ManifestBuilder().directory(bytes("f"), PLAIN).build().isSingle())
                .isFalse();
        assertThat(new ManifestBuilder().root(PLAIN).build().isSingle()).isFalse();
        assertThat(new ManifestBuilder().build().totalBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "/", "a/b", "/etc", "a\0", "\0"})
    void refusesBadNames(String name) {
        assertThatThrownBy(() -> new ManifestBuilder().file(bytes(name), PLAIN, 1))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("bad name");
        assertThatThrownBy(() -> new ManifestBuilder().directory(bytes(name), PLAIN))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder().symlink(bytes(name), PLAIN, bytes("x")))
                .isInstanceOf(ManifestException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", ".a", "-rf", " ", "\n", "*", "é"})
    void takesOddNames(String name) {
        assertThat(new ManifestBuilder().file(bytes(name), PLAIN, 1).build().name(0))
                .isEqualTo(bytes(name));
    }

    @Test
    void refusesLongNamesAndPaths() {
        assertThatThrownBy(() -> new ManifestBuilder().file(bytes("a".repeat(256)), PLAIN, 1))
                .isInstanceOf(ManifestException.class);
        ManifestBuilder builder = new ManifestBuilder();
        for (int i = 0; i < 15; i++) {
            builder.directory(bytes("a".repeat(255)), PLAIN);
        }
        // 16 names of 255 bytes and 15 slashes are 4,095.
        builder.directory(bytes("b".repeat(255)), PLAIN);
        assertThatThrownBy(() -> builder.file(bytes("c"), PLAIN, 1))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("4095");
    }

    @Test
    void refusesDuplicatesAndDisorder() {
        assertThatThrownBy(
                        () -> new ManifestBuilder().file(bytes("a"), PLAIN, 1).symlink(bytes("a"), PLAIN, bytes("x")))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("duplicate");
        assertThatThrownBy(() -> new ManifestBuilder()
                        .symlink(bytes("a"), PLAIN, bytes("x"))
                        .file(bytes("a"), PLAIN, 1))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder()
                        .directory(bytes("a"), PLAIN)
                        .file(bytes("z"), PLAIN, 1)
                        .endDirectory()
                        .directory(bytes("a"), PLAIN))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(
                        () -> new ManifestBuilder().file(bytes("b"), PLAIN, 1).file(bytes("a"), PLAIN, 1))
                .isInstanceOf(ManifestException.class);
        assertThat(new ManifestBuilder()
                        .file(bytes("a"), PLAIN, 1)
                        .file(bytes("ab"), PLAIN, 1)
                        .file(new byte[] {(byte) 0xff}, PLAIN, 1)
                        .build()
                        .entryCount())
                .as("bytes are unsigned")
                .isEqualTo(3);
    }

    @Test
    void refusesEntriesOutsideTheRoot() {
        assertThatThrownBy(
                        () -> new ManifestBuilder().root(PLAIN).endDirectory().file(bytes("a"), PLAIN, 1))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder().root(PLAIN).root(PLAIN)).isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder().endDirectory()).isInstanceOf(ManifestException.class);
    }

    @Test
    void refusesSizesThatOverflow() {
        assertThatThrownBy(() -> new ManifestBuilder().file(bytes("a"), PLAIN, -1))
                .isInstanceOf(ManifestException.class);
        ManifestBuilder full = new ManifestBuilder().file(bytes("a"), PLAIN, Manifest.MAX_TOTAL_BYTES);
        assertThatThrownBy(() -> full.file(bytes("b"), PLAIN, 1)).isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> full.file(bytes("b"), PLAIN, Long.MAX_VALUE)).isInstanceOf(ManifestException.class);
    }

    @Test
    void refusesBadLinksAndAttributes() {
        assertThatThrownBy(() -> new ManifestBuilder().symlink(bytes("a"), PLAIN, new byte[0]))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder().symlink(bytes("a"), PLAIN, bytes("x\0y")))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new ManifestBuilder().symlink(bytes("a"), PLAIN, new byte[4096]))
                .isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new EntryAttributes(010000, 0, 0)).isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new EntryAttributes(0, Long.MIN_VALUE, 0)).isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new EntryAttributes(0, 0, 1_000_000_000)).isInstanceOf(ManifestException.class);
        assertThatThrownBy(() -> new EntryAttributes(0, 0, -1)).isInstanceOf(ManifestException.class);
    }

    @Test
    void showsOddNamesOnOneLine() {
        assertThat(PathText.of(bytes("plain/é"))).isEqualTo("plain/é");
        assertThat(PathText.of(bytes("a\nb\u0085"))).isEqualTo("a\\012b\\302\\205");
        assertThat(PathText.of(new byte[] {'x', (byte) 0xff, 0x1b})).isEqualTo("x\\377\\033");
    }
}
