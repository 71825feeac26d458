package org.robber.transport.storage.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathsTest {
    @TempDir
    Path directory;

    @Test
    void everyByteSurvives() {
        for (int b = 1; b < 256; b++) {
            if (b == '/') {
                continue;
            }
            for (byte[] name : new byte[][] {{(byte) b}, {'x', (byte) b, 'y'}, {(byte) 0xc3, (byte) b}}) {
                Path path = RawPaths.resolve(directory, name);
                assertThat(RawPaths.name(path)).isEqualTo(name);
                assertThat(path.getParent()).isEqualTo(directory);
            }
        }
    }

    @Test
    void pathsOfSeveralNamesSurvive() {
        byte[] path = "a/\u00ff\u0080/c%41 #?".getBytes(ISO_8859_1);
        assertThat(RawPaths.bytes(directory.relativize(RawPaths.resolve(directory, path))))
                .isEqualTo(path);
    }

    @Test
    void anExistingDirectoryGainsNoSlash() throws IOException {
        byte[] name = {(byte) 0xe9};
        Path path = Files.createDirectories(RawPaths.resolve(directory, name));
        assertThat(RawPaths.bytes(path)[RawPaths.bytes(path).length - 1]).isEqualTo((byte) 0xe9);
        Files.createDirectory(path.resolve("x"));
        assertThat(RawPaths.name(path)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "..",
                ".",
                "/",
                "/etc/passwd",
                "../../out",
                "dangling/",
                "./a/.",
                "a b\n",
                "-x",
                "\u00ff",
                "/\u00ff/",
                "\u00e9/\u0080/",
                "../\u00ff",
            })
    void linkTargetsSurvive(String target) throws IOException {
        byte[] bytes = target.getBytes(ISO_8859_1);
        Path link = Files.createSymbolicLink(directory.resolve("link"), RawPaths.linkTarget(bytes));
        assertThat(RawPaths.bytes(Files.readSymbolicLink(link))).isEqualTo(bytes);
    }

    @Test
    void textIsOnOneLine() {
        assertThat(RawPaths.text(RawPaths.resolve(Path.of("/d"), new byte[] {'\n', (byte) 0xff})))
                .isEqualTo("/d/\\012\\377");
    }
}
