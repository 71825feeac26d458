package org.robber.transport.storage.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.EntryFilter;

/** Several sources are one tree, with the names and the contents that rsync would give it. */
class MergedTreesTest {
    @TempDir
    Path folder;

    @Test
    void sourcesBySlashOrNameStandSideBySide() throws IOException {
        write("one/b/x", "1");
        write("two/a", "22");
        write("three", "333");
        ScannedTree tree = scan("one", "two/", "three");
        assertThat(paths(tree)).containsExactly(".", "a", "one", "one/b", "one/b/x", "three");
        assertThat(data(tree)).isEqualTo("22" + "1" + "333");
    }

    /** A directory of both has the attributes of the first; of a file that both have the first counts. */
    @Test
    void directoriesOfOneNameBecomeOne() throws IOException {
        write("p/d/same", "first");
        write("p/d/sub/x", "X");
        write("q/d/same", "second, and longer");
        write("q/d/sub/y", "YY");
        write("q/d.txt", "T");
        Files.setLastModifiedTime(folder.resolve("p/d"), FileTime.fromMillis(5000));
        Files.setLastModifiedTime(folder.resolve("q/d"), FileTime.fromMillis(7000));
        ScannedTree tree = scan("p/d", "q/d", "q/d.txt");
        assertThat(paths(tree)).containsExactly("d", "d/same", "d/sub", "d/sub/x", "d/sub/y", "d.txt");
        assertThat(data(tree)).isEqualTo("firstXYYT");
        assertThat(tree.manifest().attributes(0).mtimeSeconds()).isEqualTo(5);
    }

    @Test
    void theSameSourceTwiceIsOne() throws IOException {
        write("d/x", "X");
        assertThat(paths(scan("d", "d"))).containsExactly("d", "d/x");
        assertThat(paths(scan("d/", "d/"))).containsExactly(".", "x");
    }

    @Test
    void aFileInPlaceOfADirectoryIsRefused() throws IOException {
        write("p/d/x", "X");
        write("q/d", "a file");
        assertThatThrownBy(() -> scan("p/d", "q/d"))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("p/d")
                .hasMessageContaining("q/d")
                .hasMessageContaining("only one of them is a directory");
    }

    @Test
    void partsOfOneDirectoryAreReadWhereTheyAre() throws IOException {
        for (int i = 0; i < 50; i++) {
            write((i % 2 == 0 ? "p" : "q") + "/d/e/f" + (100 + i), String.valueOf(i % 10));
        }
        ScannedTree tree = scan("p/d", "q/d");
        StringBuilder wanted = new StringBuilder();
        IntStream.range(0, 50).forEach(i -> wanted.append(i % 10));
        assertThat(data(tree)).isEqualTo(wanted.toString());
        write("q/d/e/f101", "changed");
        try (TreeSource source = new TreeSource(tree)) {
            assertThatThrownBy(source::verifyUnchanged).hasMessageContaining("q/d/e/f101");
        }
    }

    private ScannedTree scan(String... names) {
        return TreeScanner.scan(
                List.of(names).stream().map(name -> folder + "/" + name).toList(), EntryFilter.ALL);
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static List<String> paths(ScannedTree tree) {
        Manifest manifest = tree.manifest();
        return IntStream.range(0, manifest.entryCount())
                .mapToObj(manifest::pathText)
                .toList();
    }

    private static String data(ScannedTree tree) throws IOException {
        try (TreeSource source = new TreeSource(tree)) {
            ByteBuffer all = ByteBuffer.allocate((int) source.sizeBytes());
            source.read(0, all);
            source.verifyUnchanged();
            return StandardCharsets.UTF_8.decode(all.flip()).toString();
        }
    }
}
