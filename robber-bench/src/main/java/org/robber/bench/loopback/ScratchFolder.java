package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder that goes with all its files when it is closed, and when the program is interrupted: what is left behind in
 * memory-backed storage is memory that nobody has until the next boot.
 */
final class ScratchFolder implements AutoCloseable {
    private static final int ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 50;

    private final Path path;
    private final Thread atExit = new Thread(this::deletePatiently, "delete-scratch");

    /** Makes a new folder there. */
    ScratchFolder(Path directory) throws IOException {
        this.path = Files.createTempDirectory(directory, "robber-loopback-");
        Runtime.getRuntime().addShutdownHook(atExit);
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
