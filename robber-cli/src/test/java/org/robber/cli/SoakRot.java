package org.robber.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Bytes on the disk that are not what was written. */
final class SoakRot {

    private static final int MOST_FILES = 3;
    private static final int MOST_BYTES = 40;

    private SoakRot() {}

    /**
     * Spoils some files of half-written copies, journals among them: bytes get other values, ends are cut off.
     *
     * @param places folders that may hold one
     * @return what was done, for people; empty if there was nothing to spoil
     */
    static List<String> spoil(SplittableRandom random, List<Path> places) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path place : places) {
            files.addAll(staged(place));
        }
        List<String> done = new ArrayList<>();
        for (int i = 1 + random.nextInt(MOST_FILES); i > 0 && !files.isEmpty(); i--) {
            List<Path> journals = files.stream().filter(SoakRot::isJournal).toList();
            List<Path> among = !journals.isEmpty() && random.nextInt(3) == 0 ? journals : files;
            done.add(spoil(random, among.get(random.nextInt(among.size()))));
        }
        return done;
    }

    /** Flips bits in what a node that runs has written of the data; says what, empty if there is nothing yet. */
    static List<String> flip(SplittableRandom random, Path place) throws IOException {
        List<Path> files =
                staged(place).stream().filter(file -> !isJournal(file)).toList();
        if (files.isEmpty()) {
            return List.of();
        }
        try {
            return List.of(flip(random, files.get(random.nextInt(files.size())), 0));
        } catch (FileNotFoundException e) {
            // it has got its final name meanwhile
            return List.of();
        }
    }

    private static boolean isJournal(Path file) {
        return file.endsWith("journal");
    }

    /** Files with contents in half-written copies. */
    private static List<Path> staged(Path place) throws IOException {
        if (Files.notExists(place)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(place)) {
            return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                            && SoakRun.isStaging(
                                    place.relativize(path).getName(0).toString())
                            && Files.isWritable(path)
                            && path.toFile().length() > 0)
                    .sorted()
                    .toList();
        }
    }

    private static String spoil(SplittableRandom random, Path file) throws IOException {
        if (random.nextInt(5) != 0) {
            // heads of journals are long and their damage is found at once: most damage is to what comes after
            return flip(random, file, random.nextInt(4) == 0 ? 0 : 0.5);
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = bytes.length();
            bytes.setLength(random.nextLong(length));
            return name(file) + " cut off at " + bytes.length() + " of " + length;
        }
    }

    private static String flip(SplittableRandom random, Path file, double fromShare) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = bytes.length();
            int count = 1 + random.nextInt(MOST_BYTES);
            for (int i = 0; i < count; i++) {
                long at = random.nextLong((long) (fromShare * length), length);
                bytes.seek(at);
                int was = bytes.read();
                bytes.seek(at);
                bytes.write(was ^ (1 << random.nextInt(8)));
            }
            return count + " bits in " + name(file);
        }
    }

    private static String name(Path file) {
        return file.getParent().getFileName() + "/" + file.getFileName();
    }
}
