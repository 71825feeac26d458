package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Trees of files to copy, and their comparison. */
public final class Trees {

    private Trees() {}

    /** A tree with everything that a copy must keep: contents, modes, times, links, odd names, empty things. */
    public static Path make(Path root, long seed) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(root.resolve("sub/deep/er"));
        Files.createDirectory(root.resolve("empty"));
        Files.createDirectory(root.resolve("read-only"));
        for (String name : List.of("a", "with blank", "sub/ünïcode", "sub/-dash", "sub/deep/.hidden", "read-only/x")) {
            byte[] content = new byte[random.nextInt(200_000)];
            random.nextBytes(content);
            Files.write(root.resolve(name), content);
        }
        for (int i = 0; i < 200; i++) {
            byte[] content = new byte[random.nextInt(300)];
            random.nextBytes(content);
            Files.write(root.resolve("sub/deep/er/small-" + i), content);
        }
        byte[] large = new byte[5_000_011];
        random.nextBytes(large);
        Files.write(root.resolve("large"), large);
        Files.createFile(root.resolve("sub/empty-file"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("sub/deep"));
        Files.createSymbolicLink(root.resolve("sub/dangling"), Path.of("../no/such/file"));
        Files.createSymbolicLink(root.resolve("sub/outside"), Path.of("../../../outside"));
        Files.setPosixFilePermissions(root.resolve("a"), PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setPosixFilePermissions(root.resolve("large"), PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(root.resolve("read-only"), PosixFilePermissions.fromString("r-xr-xr-x"));
        setTimes(root, random);
        return root;
    }

    /** Gives everything but links a time of its own. */
    static void setTimes(Path root, RandomGenerator random) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
                Instant time = Instant.ofEpochSecond(
                        1_000_000_000L + random.nextInt(700_000_000), random.nextInt(999_999_999));
                Files.setLastModifiedTime(path, FileTime.from(time));
            }
        }
    }

    /** A file of zeros that takes no space. */
    public static Path makeLarge(Path file, long bytes) throws IOException {
        Files.createDirectories(file.getParent());
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
        return file;
    }

    /** Checks that a copy is what was copied: names, kinds, contents, modes, times, link targets. */
    public static void assertSame(Path original, Path copy) throws IOException {
        Map<String, String> expected = describe(original);
        assertThat(describe(copy)).as("%s", copy).isEqualTo(expected);
        for (String name : expected.keySet()) {
            Path file = original.resolve(name);
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                assertThat(Files.mismatch(file, copy.resolve(name)))
                        .as("contents of %s", name)
                        .isEqualTo(-1);
            }
        }
    }

    private static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                entries.put(root.relativize(path).toString(), describeOne(path));
            }
        }
        return entries;
    }

    private static String describeOne(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "link to " + Files.readSymbolicLink(path);
        }
        String times = Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS) + " ns "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return Files.isDirectory(path) ? "folder " + times : "file " + Files.size(path) + " " + times;
    }

    /** All names under a folder, for finding what should not be there; what goes while this looks is not there. */
    public static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                return visitFile(path, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                if (!path.equals(folder)) {
                    names.add(folder.relativize(path).toString());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
                return goOnIfGone(failure);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure) throws IOException {
                return goOnIfGone(failure);
            }
        });
        Collections.sort(names);
        return names;
    }

    private static FileVisitResult goOnIfGone(@Nullable IOException failure) throws IOException {
        if (failure == null || failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }
}
