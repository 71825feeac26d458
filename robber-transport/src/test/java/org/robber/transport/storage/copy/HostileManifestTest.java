package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;

/** A root that lies: whatever its manifest says, nothing outside of the destination changes. */
class HostileManifestTest {
    private static final int FILE = 0;
    private static final int DIRECTORY = 1;
    private static final int LINK = 2;
    private static final EntryAttributes PLAIN = new EntryAttributes(0644, 1, 0);
    private static final EntryAttributes OWN = new EntryAttributes(0700, 1, 0);

    @TempDir
    Path base;

    private Path outside;
    private Path dest;
    private Map<String, String> before;

    /** The destination is full of links that lead out of it, under the names that manifests use here. */
    @BeforeEach
    void plantLinks() throws IOException {
        outside = Files.createDirectories(base.resolve("outside/d")).getParent();
        Trees.write(outside.resolve("f"), "untouched");
        Trees.mode(outside.resolve("f"), 0600);
        dest = Files.createDirectory(base.resolve("dest"));
        for (String name : List.of("a", "d", "l", "CON", "lock", "journal", "tree")) {
            Files.createSymbolicLink(dest.resolve(name), outside);
        }
        Files.createSymbolicLink(dest.resolve("f"), outside.resolve("f"));
        Files.createSymbolicLink(dest.resolve("new"), outside.resolve("not-there"));
        before = snapshot();
    }

    @AfterEach
    void removeLinks() throws IOException {
        Staging.delete(dest);
    }

    /** All there is but for the destination. */
    private Map<String, String> snapshot() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(base)) {
            for (Path path : paths.filter(path -> !path.startsWith(dest)).toList()) {
                FileStat stat = FileStat.of(path);
                found.put(
                        path.toString(),
                        stat.typeText() + " " + stat.mode() + " "
                                + (path.equals(base) ? "" : stat.mtime() + " ")
                                + (stat.isFile() ? Files.readString(path, StandardCharsets.ISO_8859_1) : ""));
            }
        }
        return found;
    }

    /** An entry as the wire has it, whatever its fields say. */
    private static byte[] entry(int endedDirectories, int kind, String name, long... rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        number(out, (long) endedDirectories << 2 | kind);
        number(out, name.length());
        out.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
        for (long number : rest) {
            number(out, number);
        }
        return out.toByteArray();
    }

    private static byte[] file(int ended, String name) {
        return entry(ended, FILE, name, 0644, 0, 0, 1);
    }

    private static byte[] file(String name) {
        return file(0, name);
    }

    private static byte[] folder(String name) {
        return entry(0, DIRECTORY, name, 0755, 0, 0);
    }

    private static byte[] link(String name, String target) {
        return link(0, name, target);
    }

    private static byte[] link(int ended, String name, String target) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(entry(ended, LINK, name, 0777, 0, 0, target.length()));
        out.writeBytes(target.getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    private static void number(ByteArrayOutputStream out, long number) {
        long left = number;
        for (; left >>> 7 != 0; left >>>= 7) {
            out.write((int) ((left & 0x7f) | 0x80));
        }
        out.write((int) left);
    }

    private static byte[] manifest(byte[]... entries) {
        return manifest(entries.length, entries);
    }

    private static byte[] manifest(long count, byte[]... entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'R', 'M', 'A', 'N', 1});
        number(out, count);
        for (byte[] one : entries) {
            out.writeBytes(one);
        }
        return out.toByteArray();
    }

    private static Arguments a(String what, byte[] manifest) {
        return Arguments.of(what, manifest);
    }

    static List<Arguments> unspeakable() {
        long beyond = Manifest.MAX_TOTAL_BYTES;
        return List.of(
                a("an absolute file", manifest(file("/etc/passwd"))),
                a("an absolute folder", manifest(folder("/tmp"))),
                a("an absolute link", manifest(link("/tmp/l", "x"))),
                a("up", manifest(file("../f"))),
                a("up as a folder", manifest(folder(".."), file("f"))),
                a("up as a link", manifest(link("..", "x"))),
                a("up in the middle", manifest(folder("d"), file("../../f"))),
                a("up at the end", manifest(folder("d"), folder(".."), folder("..x"))),
                a("a dot", manifest(folder("."), file("f"))),
                a("a dot in the middle", manifest(file("d/./f"))),
                a("an empty name", manifest(file(""))),
                a("an empty folder inside", manifest(folder("d"), folder(""))),
                a("an empty name in the middle", manifest(file("d//f"))),
                a("a slash at the end", manifest(folder("d/"))),
                a("a NUL", manifest(file("f\0.txt"))),
                a("a NUL alone", manifest(file("\0"))),
                a("a NUL behind a dot", manifest(folder(".\0"))),
                a("a name of 256 bytes", manifest(file("x".repeat(256)))),
                a("a path of 4,096 bytes", deep(16, 255, "y")),
                a("more ends than folders", manifest(folder("d"), file(2, "f"))),
                a("ends beyond all bounds", manifest(file(1 << 30, "f"))),
                a("out of the root", manifest(folder(""), file(1, "f"))),
                a("a second root", manifest(folder(""), folder(""))),
                a("a duplicate file", manifest(file("f"), file("f"))),
                a("a duplicate folder", manifest(folder("d"), file("x"), entry(1, DIRECTORY, "d", 0755, 0, 0))),
                a("a file that is a folder's prefix", manifest(file("a"), file("a/f"))),
                a("a file that is a folder, too", manifest(file("a"), folder("a"), file("f"))),
                a("a link, then a path through it", manifest(link("l", "../outside"), file("l/f"))),
                a("a link, then a folder of its name", manifest(link("l", "../outside"), folder("l"), file("f"))),
                a("a folder, then a link of its name", manifest(folder("l"), link(1, "l", "x"))),
                a("a link with things inside", manifest(link("l", "../outside"), file(1, "f"))),
                a("a link to nowhere", manifest(link("l", ""))),
                a("a link with a NUL", manifest(link("l", "x\0y"))),
                a("a link of 4,096 bytes", manifest(link("l", "x".repeat(4096)))),
                a("a device", manifest(entry(0, 3, "sda", 060644, 0, 0))),
                a("the mode of a device", manifest(entry(0, FILE, "f", 0100644, 0, 0, 1))),
                a("a negative size", manifest(entry(0, FILE, "f", 0644, 0, 0, -1))),
                a("a size beyond all bounds", manifest(entry(0, FILE, "f", 0644, 0, 0, beyond + 1))),
                a(
                        "sizes that overflow together",
                        manifest(entry(0, FILE, "f", 0644, 0, 0, beyond), entry(0, FILE, "g", 0644, 0, 0, beyond))),
                a("sizes that overflow 64 bits", manifest(entry(0, FILE, "f", 0644, 0, 0, Long.MIN_VALUE))),
                a("times that overflow", manifest(entry(0, FILE, "f", 0644, -2, 0, 1))),
                a("a second of too many nanoseconds", manifest(entry(0, FILE, "f", 0644, 0, 1_000_000_000, 1))),
                a("millions of entries in few bytes", manifest(1 << 24, file("f"))),
                a("more entries than there may be", manifest((1L << 24) + 1, file("f"))),
                a("entries beyond 32 bits", manifest(1L << 32, file("f"))),
                a("less entries than bytes", manifest(0, file("f"))));
    }

    /** So many folders, one in the other, with names of so many bytes, and a file in the last. */
    private static byte[] deep(int folders, int nameBytes, String file) {
        byte[][] entries = new byte[folders + 1][];
        for (int i = 0; i < folders; i++) {
            entries[i] = folder("x".repeat(nameBytes));
        }
        entries[folders] = file(file);
        return manifest(entries);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unspeakable")
    void isRefusedBeforeAnythingIsWritten(String what, byte[] manifest) throws IOException {
        assertThatThrownBy(() -> receive(manifest)).as(what).isExactlyInstanceOf(ManifestException.class);
        assertThat(snapshot()).isEqualTo(before);
    }

    static List<Arguments> lawful() {
        return List.of(
                a("names of planted links", manifest(file("f"), file("l"), file("new"))),
                a("folders where links are", manifest(folder("a"), file("f"), file(1, "d"))),
                a("links where links are", manifest(link("a", "/"), link("f", "../outside/f"), link("l", "..."))),
                a("a link, and a folder beside it", manifest(link("l", "../outside"), folder("l2"), file("f"))),
                a("contents", manifest(folder(""), folder("d"), file("f"), file(1, "new"))),
                a("a single file", manifest(file("f"))),
                a("a single link", manifest(link("f", "/etc/passwd"))),
                a("names of our own", manifest(file("journal"), file("lock"), file("tree"))),
                a("the staging directory's name", manifest(folder(".robber-h.partial"), link("tree", "/"))),
                a("another one's", manifest(folder(".robber-o.partial"), link("tree", "../../outside"))),
                a("special names", manifest(file("-rf"), file("CON"), file("a:b"), file("~root"))),
                a("control characters", manifest(file("\u001b[2J"), file("\u009b\u0085\n"))),
                a("three dots", manifest(folder("..."), file("f"))),
                a("a lone surrogate's bytes", manifest(file("\u00ed\u00a0\u0080"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lawful")
    void staysInside(String what, byte[] manifest) throws IOException {
        receive(manifest);

        assertThat(snapshot()).as(what).isEqualTo(before);
        Manifest written = ManifestCodec.decode(manifest);
        for (int i = 0; i < written.entryCount(); i++) {
            FileStat stat = FileStat.of(RawPaths.resolve(dest, written.path(i)));
            assertThat(stat.isSymlink()).as(written.pathText(i)).isEqualTo(written.kind(i) == EntryKind.SYMLINK);
        }
    }

    @Test
    @Tag("full")
    void whatTheMachineCannotTakeIsAFailureOfTheDestination() throws IOException {
        for (byte[] manifest : List.of(deep(2047, 1, "y"), manifest(entry(0, FILE, "huge", 0644, 0, 0, 1L << 50)))) {
            assertThatThrownBy(() -> receive(manifest))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION));
            assertThat(snapshot()).isEqualTo(before);
            assertThat(dest.toFile().list()).noneMatch(name -> name.startsWith(".robber") || name.equals("huge"));
        }
    }

    @Test
    void noFileRunsWithTheRightsOfWhoCopiedIt() throws IOException {
        receive(manifest(
                entry(0, DIRECTORY, "bin", 07755, 0, 0),
                entry(0, FILE, "sh", 06755, 0, 0, 1),
                entry(0, FILE, "sticky", 01640, 0, 0, 0)));

        assertThat(FileStat.of(dest.resolve("bin/sh")).mode()).isEqualTo(0755);
        assertThat(FileStat.of(dest.resolve("bin/sticky")).mode()).isEqualTo(01640);
        assertThat(FileStat.of(dest.resolve("bin")).mode())
                .as("means something else")
                .isEqualTo(07755);
    }

    /** The first tree brings what looks like a half-written copy of the second, in which a link takes the place of the tree. */
    @Test
    void aForgedHalfWrittenCopyLeadsNobodyOut() throws IOException, InterruptedException {
        Manifest second =
                new ManifestBuilder().file(Trees.bytes("f"), PLAIN, 2000).build();
        Path forger = Files.createDirectory(base.resolve("forger"));
        try (TreeTarget interrupted = Trees.target(forger + "/", second, "second")) {
            interrupted.write(0, ByteBuffer.allocate(1000));
            interrupted.verified(0, 1000, new byte[16]);
        }
        Path forged = forger.resolve(".robber-second.partial");
        Staging.delete(forged.resolve("tree"));
        Files.createSymbolicLink(forged.resolve("tree"), outside);
        before = snapshot();
        Trees.replicate(forger + "/", dest.toString());
        assertThat(Files.isSymbolicLink(dest.resolve(".robber-second.partial/tree")))
                .isTrue();

        try (TreeTarget target = Trees.target(dest.toString(), second, "second")) {
            target.write(0, ByteBuffer.allocate(2000));
            target.commit(null);
        }
        assertThat(snapshot()).isEqualTo(before);
        assertThat(dest.resolve("f")).hasSize(2000).isRegularFile();
    }

    /** The same with a second name of a file: a run that was killed leaves such, too. */
    @Test
    void aHalfWrittenFileWithAnotherNameIsNotWrittenTo() throws IOException {
        Manifest file =
                new ManifestBuilder().file(Trees.bytes("x"), PLAIN, 2000).build();
        try (TreeTarget interrupted = Trees.target(dest + "/", file, "h")) {
            interrupted.write(0, ByteBuffer.allocate(1000));
            interrupted.verified(0, 1000, new byte[16]);
        }
        Path half = dest.resolve(".robber-h.partial/tree/x");
        Files.delete(half);
        Files.createLink(half, outside.resolve("f"));

        try (TreeTarget target = Trees.target(dest + "/", file, "h")) {
            target.write(0, ByteBuffer.allocate(2000));
            target.commit(null);
        }
        assertThat(outside.resolve("f")).hasContent("untouched");
        assertThat(dest.resolve("x")).hasSize(2000);
    }

    @Test
    void namesThatSomeFileSystemsTakeForOneAreFound() {
        Manifest accents = new ManifestBuilder()
                .directory(Trees.bytes("D"), OWN)
                .file("e\u0301tude".getBytes(StandardCharsets.UTF_8), PLAIN, 1)
                .file("\u00c9tude".getBytes(StandardCharsets.UTF_8), PLAIN, 1)
                .build();
        assertThat(CaseClash.first(accents)).isEqualTo("D/e\u0301tude and D/\u00c9tude");
        assertThat(CaseClash.first(sorted("READ.ME", "read.me", "x"))).isEqualTo("READ.ME and read.me");
        assertThat(CaseClash.first(sorted("READ.me", "readme"))).isNull();
    }

    private static Manifest sorted(String... names) {
        ManifestBuilder builder = new ManifestBuilder();
        for (String name : names) {
            builder.file(name.getBytes(StandardCharsets.UTF_8), PLAIN, 1);
        }
        return builder.build();
    }

    /** What a node does with a manifest and the data that comes after it. */
    private void receive(byte[] encoded) throws IOException {
        Manifest manifest = ManifestCodec.decode(encoded);
        CopyTerms terms = new CopyTerms("h", new PieceLayout(manifest.totalBytes(), 1 << 30), "xxh3-128", false);
        try (TreeTarget target = TreeTarget.open(dest + "/", manifest, terms)) {
            target.write(0, ByteBuffer.allocate((int) manifest.totalBytes()));
            target.commit(null);
        }
    }
}
