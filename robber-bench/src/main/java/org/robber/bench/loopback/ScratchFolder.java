package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/**
 * A folder that goes with all its files when it is closed, and when the program is interrupted: what is left behind in
 * memory-backed storage is lost to all processes until the next boot.
 */
final class ScratchFolder implements AutoCloseable {
    private static final int ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 50;

    private final Path path;
    private final Thread atExit = new Thread(this::deleteForGood, "delete-scratch");
    private boolean ended;

    /**
     * Makes a new folder there.
     *
     * @throws IOException also if the program is ending: a folder made then would stay
     */
    ScratchFolder(Path directory) throws IOException {
        this.path = directory.resolve("robber-loopback-" + UUID.randomUUID());
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            throw new IOException("interrupted", e);
        }
        make();
    }

    private synchronized void make() throws IOException {
        if (ended) {
            throw new IOException("interrupted");
        }
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** A file in it. */
    Path file(String name) {
        return path.resolve(name);
    }

    /** Where it is. */
    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The program is ending already, and finds nothing to delete.
        }
    }

    private synchronized void deleteForGood() {
        ended = true;
        deletePatiently();
    }

    /** Processes that are being ended at the same time may still make files. */
    private void deletePatiently() {
        for (int attempt = 0; attempt < ATTEMPTS && Files.exists(path); attempt++) {
            try {
                delete();
            } catch (IOException e) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void delete() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(path);
    }
}
