package org.robber.cli.report;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a report to a file that is there as a whole or not at all. Links are followed. Pipes and {@code /dev/stderr} are written to and
 * stay as they are. A pipe that no program reads is given up after some seconds.
 */
public final class ReportFile {

    private static final Logger LOG = LoggerFactory.getLogger(ReportFile.class);

    /** The phase of failures to write a report. */
    public static final String PHASE = "report";

    private static final String REPORT = "the report cannot be written to ";

    private static final Duration LIMIT_OF_PIPE = Duration.ofSeconds(10);

    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    private static final Path OUTPUT = Path.of("/dev/stdout");
    private static final Path ERROR = Path.of("/dev/stderr");

    private ReportFile() {}

    /** Whether a report with this name is a page for a browser. */
    public static boolean isPage(@Nullable Path file) {
        String name = String.valueOf(file).toLowerCase(Locale.ROOT);
        return name.endsWith(".html") || name.endsWith(".htm");
    }

    /**
     * Finds out, before a node does its work, whether its report can be written. Removes the report of an earlier job.
     *
     * @param file or null if no report is wanted
     * @param rank of the node
     * @throws RobberException with {@code DESTINATION} if it can't
     */
    public static void prepare(@Nullable Path file, int rank) {
        check(file, rank, REPORT);
        if (file == null) {
            return;
        }
        try {
            remove(file);
        } catch (IOException e) {
            throw unwritable(file, rank, REPORT, e);
        }
    }

    /** Removes the report of an earlier job; what cannot be removed stays. */
    public static void removeIfPossible(@Nullable Path file) {
        try {
            if (file != null) {
                remove(file);
            }
        } catch (IOException e) {
            LOG.debug("{} stays", file, e);
        }
    }

    /** It would be taken for the report of this job if the process were killed. */
    private static void remove(Path file) throws IOException {
        Path place = place(file);
        if (isPlain(place)) {
            Files.deleteIfExists(place);
        }
    }

    /**
     * Finds out, before a node does its work, whether a result can be written; leaves nothing behind.
     *
     * @param file or null if no result is wanted
     * @param rank of the node
     * @param what begins the message of a failure, up to the name of the file
     * @throws RobberException with {@code DESTINATION} if it can't
     */
    public static void check(@Nullable Path file, int rank, String what) {
        if (file == null) {
            return;
        }
        try {
            check(file);
        } catch (IOException e) {
            throw unwritable(file, rank, what, e);
        }
    }

    /** As {@link #write(Path, String, int, String, String)}, for a report. */
    public static void write(@Nullable Path file, String text, int rank, String done) {
        write(file, text, rank, REPORT, done);
    }

    /**
     * Writes the result of a node that has done its work.
     *
     * @param file or null if no result is wanted
     * @param what begins the message of a failure, up to the name of the file
     * @param done what the node has done, for the message of a failure
     * @throws RobberException with {@code DESTINATION} if it can't be written
     */
    public static void write(@Nullable Path file, String text, int rank, String what, String done) {
        if (file == null) {
            return;
        }
        try {
            write(file, text);
        } catch (IOException e) {
            throw failure(file, rank, done + ", but " + what, "", e);
        }
    }

    private static RobberException unwritable(Path file, int rank, String what, IOException cause) {
        return failure(file, rank, what, "; choose another file", cause);
    }

    private static RobberException failure(Path file, int rank, String before, String after, IOException cause) {
        String why = before + file + ": " + FileFailure.text(cause) + after;
        return new RobberException(Reason.DESTINATION, List.of(rank), PHASE, why, cause);
    }

    /** Finds out whether a report can be written there, and leaves nothing behind; an {@link IOException} says why it can't. */
    public static void check(Path file) throws IOException {
        if (isOutput(file)) {
            return;
        }
        Path place = place(file);
        if (Files.isDirectory(place)) {
            throw new IOException("it is a folder");
        }
        Path writable = isPlain(place) ? folder(place) : place;
        if (isPlain(place) && !Files.isDirectory(writable)) {
            throw new IOException("there is no folder " + writable);
        }
        if (!Files.isWritable(writable)) {
            throw new IOException("no permission to write to " + writable);
        }
        if (isPlain(place)) {
            // permissions say little: to root all is permitted, also where nothing can be
            Path trial = temporary(place);
            Files.writeString(trial, "");
            Files.delete(trial);
        }
    }

    /**
     * Replaces the file by this text.
     *
     * @throws IOException if it can't be written; whatever was there before is there still
     */
    public static void write(Path file, String text) throws IOException {
        Path place = place(file);
        PrintStream own = place.equals(OUTPUT) ? System.out : place.equals(ERROR) ? System.err : null;
        if (own != null) {
            writeTo(own, text);
            return;
        }
        if (!isPlain(place)) {
            writeToPipe(place, text, LIMIT_OF_PIPE);
            return;
        }
        Path temporary = temporary(place);
        try {
            Files.writeString(temporary, text, StandardCharsets.UTF_8);
            Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Opened by its name, a file would be written at another place than what the process says there besides. */
    private static void writeTo(PrintStream own, String text) throws IOException {
        own.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        if (own.checkError()) {
            throw new IOException("the output could not be written as a whole");
        }
    }

    /** Writes on a thread of its own: to open a pipe that no program reads, and to fill one, takes any time. */
    static void writeToPipe(Path pipe, String text, Duration limit) throws IOException {
        FutureTask<Path> writing = new FutureTask<>(
                () -> Files.writeString(pipe, text, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
        Thread thread = new Thread(writing, "report");
        thread.setDaemon(true);
        thread.start();
        try {
            writing.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no program has read it within " + limit.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
    }

    /** A name beside the file, of this file in this process alone. No temporary file of Java's, which other users may not read. */
    private static Path temporary(Path place) throws IOException {
        return folder(place)
                .resolve(".robber-report-" + ProcessHandle.current().pid() + "-" + Integer.toHexString(place.hashCode())
                        + ".tmp");
    }

    /** The place of the file, also behind a link to nothing. */
    private static Path place(Path file) throws IOException {
        Path place = file.toAbsolutePath();
        for (int links = 0; links < MOST_LINKS && !isOpen(place) && Files.isSymbolicLink(place); links++) {
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        return place;
    }

    /** Whether it can be replaced: a file, or nothing yet. */
    private static boolean isPlain(Path place) {
        return !isOpen(place) && (Files.isRegularFile(place) || !Files.exists(place));
    }

    /** Whether the name stands for what this process has open, also if that is a file. Other processes have other things open by that name. */
    public static boolean isOpen(Path file) {
        Path place = file.toAbsolutePath();
        return isOutput(file) || ((place.startsWith("/dev/fd") || place.startsWith("/proc")) && Files.exists(place));
    }

    /** Whether the name stands for the standard output or the standard error of this process. */
    private static boolean isOutput(Path file) {
        return file.equals(OUTPUT) || file.equals(ERROR);
    }

    private static Path folder(Path place) throws IOException {
        Path folder = place.getParent();
        if (folder == null) {
            throw new IOException("it is a folder");
        }
        return folder;
    }
}
