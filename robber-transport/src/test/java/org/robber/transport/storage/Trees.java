package org.robber.transport.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.source.ScannedTree;
import org.robber.transport.storage.source.SkippedEntry;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** Trees on the real file system, for tests. Names are strings of Latin-1 characters that stand for one byte each. */
public final class Trees {

    private Trees() {}

    public static byte[] bytes(String name) {
        return name.getBytes(ISO_8859_1);
    }

    /** The path of these bytes in the directory. */
    public static Path in(Path directory, String path) {
        return RawPaths.resolve(directory, bytes(path));
    }

    public static Path write(Path file, String content) throws IOException {
        return Files.write(file, bytes(content));
    }

    public static void mode(Path file, int mode) throws IOException {
        Files.setAttribute(file, "unix:mode", mode);
    }

    public static void mtime(Path file, long seconds, int nanos) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.from(Instant.ofEpochSecond(seconds, nanos)), null, null);
    }

    /** Runs a command in the directory and returns what it prints, a character for each byte. */
    public static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
        return output;
    }

    /** Path to type, mode, size, time and target of all that is in the directory, as find tells them. */
    static Map<String, String> describe(Path directory) throws IOException, InterruptedException {
        String[] found = run(directory, "find", ".", "-printf", "%P\\0%y %m %s %T@ %l\\0")
                .split("\0", -1);
        Map<String, String> description = new TreeMap<>();
        for (int i = 0; i + 1 < found.length; i += 2) {
            String told = found[i + 1];
            if (told.startsWith("d")) {
                // The size of a directory is the file system's affair.
                told = told.replaceFirst(" (\\d+) \\d+", " $1");
            } else if (told.startsWith("l")) {
                // JDK 17 sets the time of a link to the microsecond.
                told = told.replaceFirst("(\\.\\d{6})\\d+", "$1");
            }
            description.put(found[i], told);
        }
        return description;
    }

    /** Both are the same in names, types, modes, times, link targets, and bytes. */
    public static void assertSame(Path copy, Path original) throws IOException, InterruptedException {
        assertThat(describe(copy)).isEqualTo(describe(original));
        run(original, "diff", "-r", "--no-dereference", original.toString(), copy.toString());
    }

    /** Copies all pieces in random order with several threads. The target is not committed. */
    public static void copy(TreeSource source, TreeTarget target, int pieceBytes, int threads, long seed)
            throws InterruptedException {
        PieceLayout layout = new PieceLayout(source.sizeBytes(), pieceBytes);
        List<Integer> pieces = new ArrayList<>();
        for (int i = 0; i < layout.pieceCount(); i++) {
            pieces.add(i);
        }
        Collections.shuffle(pieces, new Random(seed));
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> copies = new ArrayList<>();
            for (int piece : pieces) {
                copies.add(executor.submit(() -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(layout.lengthBytes(piece));
                    source.read(layout.offsetBytes(piece), buffer);
                    target.write(layout.offsetBytes(piece), buffer.flip());
                    return null;
                }));
            }
            for (Future<?> copy : copies) {
                copy.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            executor.shutdown();
        }
    }

    /** A target for pieces of 1000 bytes, which takes over what is left under the key. */
    public static TreeTarget target(String destination, Manifest manifest, String key) {
        return TreeTarget.open(
                destination,
                manifest,
                new CopyTerms(
                        key,
                        new PieceLayout(manifest.totalBytes(), pieceBytes(manifest.totalBytes())),
                        "xxh3-128",
                        false));
    }

    private static int pieceBytes(long totalBytes) {
        return totalBytes < 1L << 30 ? 1000 : 1 << 30;
    }

    /** Copies and commits; returns what was left out. */
    public static List<SkippedEntry> replicate(String source, String destination)
            throws IOException, InterruptedException {
        ScannedTree tree = TreeScanner.scan(source);
        try (TreeSource from = new TreeSource(tree);
                TreeTarget to = target(destination, tree.manifest(), "test")) {
            copy(from, to, 1000, 3, 1);
            from.verifyUnchanged();
            to.commit(null);
        }
        return tree.skipped();
    }

    /** Reads all of it. */
    public static byte[] content(Storage storage) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) storage.sizeBytes());
        storage.read(0, all);
        return all.array();
    }

    public static String name255(char c) {
        char[] name = new char[255];
        Arrays.fill(name, c);
        return new String(name);
    }

    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
