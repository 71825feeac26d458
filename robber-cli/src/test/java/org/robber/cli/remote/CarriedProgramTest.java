package org.robber.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CarriedProgramTest {

    @TempDir
    Path folder;

    private Path jar;

    @BeforeEach
    void makeProgram() throws IOException {
        Files.createDirectory(folder.resolve("lib"));
        Files.writeString(folder.resolve("lib/one.jar"), "one");
        Files.write(folder.resolve("lib/two.jar"), new byte[1024]);
        jar = jar("lib/one.jar lib/two.jar");
    }

    private Path jar(String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path file = folder.resolve("program.jar");
        try (OutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            out.flush();
        }
        return file;
    }

    @Test
    void tarUnpacksIt() throws Exception {
        Path own = Files.writeString(folder.resolve("strategy of mine.jar"), "mine");
        Files.writeString(Files.createDirectory(folder.resolve("lib/native")).resolve("libx.so"), "x");
        Path archive = Files.write(
                folder.resolve("archive"), CarriedProgram.of(jar, List.of(own)).archive());
        Path place = Files.createDirectory(folder.resolve("place"));

        Process tar = new ProcessBuilder("tar", "-xf", archive.toString(), "-C", place.toString())
                .inheritIO()
                .start();

        assertThat(tar.waitFor()).isZero();
        assertThat(place.resolve("robber-cli.jar")).hasSameBinaryContentAs(jar);
        assertThat(place.resolve("lib/one.jar")).hasContent("one");
        assertThat(place.resolve("lib/two.jar")).hasBinaryContent(new byte[1024]);
        assertThat(place.resolve("lib/native/libx.so")).hasContent("x");
        assertThat(place.resolve("more")).isDirectoryContaining("glob:**.jar");
    }

    @Test
    void theDigestIsThatOfTheContent() throws IOException {
        CarriedProgram first = CarriedProgram.of(jar, List.of());
        Files.setLastModifiedTime(folder.resolve("lib/one.jar"), FileTime.fromMillis(0));

        assertThat(CarriedProgram.of(jar, List.of()).archive()).isEqualTo(first.archive());
        assertThat(CarriedProgram.of(jar, List.of()).digest())
                .isEqualTo(first.digest())
                .matches("[0-9a-f]{64}");

        Files.writeString(folder.resolve("lib/one.jar"), "eno");
        assertThat(CarriedProgram.of(jar, List.of()).digest()).isNotEqualTo(first.digest());
    }

    @Test
    void librariesElsewhereAreRefused() throws IOException {
        Files.writeString(folder.resolveSibling("outside.jar"), "x");
        Path outside = jar("../outside.jar");

        assertThatThrownBy(() -> CarriedProgram.of(outside, List.of())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> CarriedProgram.of(folder.resolve("none.jar"), List.of()))
                .isInstanceOf(IOException.class);
    }
}
