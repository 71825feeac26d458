package org.robber.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a random job copies.
 *
 * @param seed of the contents and the shape
 * @param isTree whether it is a tree, or a single file
 * @param bytes of all files together
 * @param mostFiles in a tree
 */
record SoakSource(long seed, boolean isTree, long bytes, int mostFiles) {

    private static final int MOST_FOLDERS = 6;
    private static final List<String> MODES = List.of("rw-r--r--", "rwxr-xr-x", "r--r-----", "rw-------");
    private static final List<String> FOLDER_MODES = List.of("rwxr-xr-x", "rwx------", "r-xr-xr-x");

    /** The name of the file, or of the tree's folder. */
    String name() {
        return isTree ? "tree" : "file";
    }

    /** Makes it in this folder. */
    Path make(Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path source = folder.resolve(name());
        if (isTree) {
            makeTree(source, random);
        } else {
            makeFile(source, bytes, random);
        }
        Trees.setTimes(source, random);
        return source;
    }

    private void makeTree(Path root, SplittableRandom random) throws IOException {
        List<Path> folders = new ArrayList<>(List.of(Files.createDirectory(root)));
        for (int i = random.nextInt(MOST_FOLDERS); i > 0; i--) {
            folders.add(Files.createDirectory(any(folders, random).resolve("folder " + i)));
        }
        long left = bytes;
        for (int i = random.nextInt(mostFiles); i > 0; i--) {
            // most files are small, a few make up the size
            long size = random.nextInt(4) == 0 ? random.nextLong(left + 1) : Math.min(left, random.nextInt(3000));
            makeFile(any(folders, random).resolve("file-" + i), size, random);
            left -= size;
        }
        if (left > 0) {
            makeFile(any(folders, random).resolve("rest"), left, random);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            Files.createSymbolicLink(any(folders, random).resolve("link-" + i), Path.of("../no/such/file-" + i));
        }
        for (Path folder : folders) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(any(FOLDER_MODES, random)));
        }
    }

    private static void makeFile(Path file, long size, SplittableRandom random) throws IOException {
        byte[] content = new byte[Math.toIntExact(size)];
        random.nextBytes(content);
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(any(MODES, random)));
    }

    private static <T> T any(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }
}
