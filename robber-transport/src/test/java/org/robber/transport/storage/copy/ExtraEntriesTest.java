package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.source.TreeScanner;

/** What a destination holds besides a copy is found and removed, and nothing else. */
class ExtraEntriesTest {

    @TempDir
    Path folder;

    private Path source;
    private Path copies;

    @BeforeEach
    void copy() throws IOException {
        source = folder.resolve("tree");
        copies = folder.resolve("copies");
        for (Path tree : List.of(source, copies.resolve("tree"))) {
            write(tree.resolve("a/b/file"));
            write(tree.resolve("top"));
            Files.createDirectories(tree.resolve("empty"));
        }
        write(copies.resolve("beside"));
        write(folder.resolve("outside/precious"));
    }

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, file.getFileName().toString());
    }

    @Test
    void nothingIsExtraInACopy() {
        assertThat(list("", EntryFilter.ALL)).isEmpty();
        assertThat(extras("", EntryFilter.ALL).remove()).isZero();
    }

    @Test
    void extraEntriesGoAndLinksAreNotFollowed() throws IOException {
        Path tree = copies.resolve("tree");
        write(tree.resolve("extra/deep/file"));
        write(tree.resolve("a/b/more"));
        Files.createSymbolicLink(tree.resolve("link"), folder.resolve("outside"));
        Files.createSymbolicLink(tree.resolve("extra/link"), folder.resolve("outside"));
        write(tree.resolve("read-only/file"));
        Files.setPosixFilePermissions(tree.resolve("read-only"), PosixFilePermissions.fromString("r-xr-xr-x"));

        List<String> names = list("", EntryFilter.ALL);
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "tree/a/b/more",
                        "tree/extra/",
                        "tree/extra/deep/",
                        "tree/extra/deep/file",
                        "tree/extra/link",
                        "tree/link",
                        "tree/read-only/",
                        "tree/read-only/file");
        assertThat(extras("", EntryFilter.ALL).remove()).isEqualTo(names.size());

        assertThat(files(copies))
                .containsExactly("beside", "tree", "tree/a", "tree/a/b", "tree/a/b/file", "tree/empty", "tree/top");
        assertThat(folder.resolve("outside/precious")).exists();
    }

    /** A directory of the copy that was swapped for a link is not of the copy. */
    @Test
    void linksInPlaceOfDirectoriesAreNotEntered() throws IOException {
        Files.delete(copies.resolve("tree/empty"));
        Files.createSymbolicLink(copies.resolve("tree/empty"), folder.resolve("outside"));
        assertThat(extras("", EntryFilter.ALL).remove()).isZero();
        assertThat(folder.resolve("outside/precious")).exists();

        Files.move(copies.resolve("tree"), copies.resolve("moved"));
        Files.createSymbolicLink(copies.resolve("tree"), folder.resolve("outside"));
        assertThat(extras("", EntryFilter.ALL).remove()).isZero();
        assertThat(folder.resolve("outside/precious")).exists();
    }

    @Test
    void whatWasNotChosenStaysWithItsDirectories() throws IOException {
        Path tree = copies.resolve("tree");
        write(tree.resolve("extra/keep.log"));
        write(tree.resolve("extra/file"));
        write(tree.resolve("kept.log"));
        EntryFilter noLogs = (path, isDirectory) -> !new String(path, StandardCharsets.UTF_8).endsWith(".log");

        String mode = "r-xrwxr-x";
        Files.setPosixFilePermissions(tree.resolve("extra"), PosixFilePermissions.fromString(mode));
        assertThat(extras("", noLogs).remove()).isEqualTo(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tree.resolve("extra"))))
                .isEqualTo(mode);
        assertThat(tree.resolve("extra/keep.log")).exists();
        assertThat(tree.resolve("kept.log")).exists();
        assertThat(tree.resolve("extra/file")).doesNotExist();
    }

    /** Such as that of a set-group-ID bit, which the API does not know. */
    @Test
    void aDirectoryThatStaysKeepsItsBits() throws IOException {
        Path kept = copies.resolve("tree/extra");
        write(kept.resolve("keep.log"));
        Files.setAttribute(kept, "unix:mode", 02775);

        assertThat(extras("", (path, isDirectory) -> isDirectory).remove()).isZero();

        assertThat((int) Files.getAttribute(kept, "unix:mode") & 07777).isEqualTo(02775);
    }

    @Test
    void halfWrittenCopiesOfOtherJobsStayAtAllDepths() throws IOException {
        Path partial = copies.resolve("tree/a/b/.robber-0123.partial");
        Path insideExtra = copies.resolve("tree/extra/.robber-0123.partial");
        write(partial.resolve("0"));
        write(insideExtra.resolve("0"));
        assertThat(extras("", EntryFilter.ALL).remove()).isZero();
        assertThat(partial.resolve("0")).exists();
        assertThat(insideExtra.resolve("0")).exists();
    }

    @Test
    void anEntryThatDiffersByCaseIsExtraBeforeTheCopyAlso() throws IOException {
        Path tree = copies.resolve("tree");
        Files.move(tree.resolve("top"), tree.resolve("Top"));
        write(tree.resolve("a/File"));
        assertThat(list("", EntryFilter.ALL)).containsExactlyInAnyOrder("tree/Top", "tree/a/File");
    }

    /** So a file system that ignores case lists a file whose name was written otherwise before. */
    @Test
    void anEntryThatIsFoundByItsNameIsListedUnderAnotherCase() throws IOException {
        Set<String> names = Set.of("top", "Other", "gone");
        List<Path> listed = List.of(Path.of("Top"), Path.of("Other"));
        assertThat(ExtraEntries.listedOtherwise(names, listed, name -> name.equals(Path.of("top"))))
                .containsExactly("top");
        assertThat(ExtraEntries.listedOtherwise(names, listed, name -> false)).isEmpty();
    }

    /** As one of another user; here it is gone when it is to be read. */
    @Test
    void aDirectoryThatCannotBeReadIsNamed() throws IOException {
        Path closed = Files.createDirectory(copies.resolve("tree/closed"));
        EntryFilter deleting = (path, isDirectory) -> closed.toFile().delete();
        assertThat(list("", deleting))
                .singleElement()
                .asString()
                .startsWith("tree/closed: ")
                .endsWith(", so what is in it is not listed");
    }

    @Test
    void theContentsOfASourceCleanTheDestinationItself() throws IOException {
        Path place = copies.resolve("tree");
        Files.createDirectory(place.resolve(".robber-0123.partial"));
        write(place.resolve("extra"));
        Manifest manifest = TreeScanner.scan(source + "/").manifest();
        assertThat(new ExtraEntries(place, manifest, EntryFilter.ALL).remove()).isEqualTo(1);
        assertThat(place.resolve(".robber-0123.partial")).exists();
        assertThat(copies.resolve("beside")).exists();
    }

    @Test
    void aSingleFileCleansNothing() throws IOException {
        Manifest manifest = TreeScanner.scan(source.resolve("top").toString()).manifest();
        assertThat(new ExtraEntries(copies, manifest, EntryFilter.ALL).remove()).isZero();
        assertThat(copies.resolve("beside")).exists();
    }

    @Test
    void aDestinationThatIsGoneIsNamed() {
        Manifest manifest = TreeScanner.scan(source.toString()).manifest();
        assertThatThrownBy(() -> new ExtraEntries(folder.resolve("none"), manifest, EntryFilter.ALL).remove())
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("none");
    }

    private List<String> list(String end, EntryFilter chosen) {
        List<String> names = new ArrayList<>();
        extras(end, chosen).list(names::add);
        return names;
    }

    private ExtraEntries extras(String end, EntryFilter chosen) {
        return new ExtraEntries(copies, TreeScanner.scan(source + end).manifest(), chosen);
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> !path.equals(root))
                    .map(path -> root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }
}
