package org.robber.transport.storage.file;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors of files, with messages that say what to do. */
public final class FileFailures {

    private static final Logger LOG = LoggerFactory.getLogger(FileFailures.class);

    private FileFailures() {}

    /** A failure of the source. */
    public static RobberException source(String phase, String message, @Nullable IOException cause) {
        return new RobberException(Reason.SOURCE, List.of(), phase, message, cause);
    }

    /** The source is not what it was when it was scanned. */
    public static RobberException changed(Path file, String how) {
        return new RobberException(
                Reason.SOURCE_CHANGED,
                List.of(),
                "read",
                "the source changed while it was read: " + RawPaths.text(file) + " " + how
                        + "; try again when no process writes to it");
    }

    /** A failure of the destination. */
    public static RobberException destination(String phase, String message, @Nullable IOException cause) {
        return new RobberException(Reason.DESTINATION, List.of(), phase, message, cause);
    }

    /** The destination's file system refused something. */
    public static RobberException destination(String phase, Path file, IOException cause) {
        // A channel closes under its users when one of them is interrupted: the caller gave up, and the disk is not at
        // fault.
        if (cause instanceof AsynchronousCloseException) {
            return new RobberException(
                    Reason.INTERRUPTED, List.of(), phase, "interrupted while writing " + RawPaths.text(file), cause);
        }
        return destination(
                phase, "cannot write " + RawPaths.text(file) + ": " + reason(cause) + advice(file, cause), cause);
    }

    /** The same exception, naming its file if it doesn't yet. */
    public static IOException named(Path file, IOException cause) {
        return new IOException(RawPaths.text(file) + ": " + reason(cause), cause);
    }

    /** What went wrong, without the name of the file. */
    public static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (cause instanceof NotDirectoryException) {
            return "not a directory";
        }
        String reason = cause instanceof FileSystemException known ? known.getReason() : cause.getMessage();
        return reason == null ? cause.getClass().getSimpleName() : reason;
    }

    /** Whether this user lacks the right to do it. */
    public static boolean isRefusal(IOException cause) {
        return cause instanceof AccessDeniedException || reason(cause).contains("Operation not permitted");
    }

    /** Whether the file system of a file that could not be made has room for bytes. */
    private static boolean hasFreeBytes(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        try {
            return parent != null && Files.getFileStore(parent).getUsableSpace() > 0;
        } catch (IOException e) {
            LOG.debug("cannot ask for the room at {}", parent, e);
            return false;
        }
    }

    private static String advice(Path file, IOException cause) {
        String reason = reason(cause);
        if (reason.contains("No space left") && cause instanceof FileSystemException && hasFreeBytes(file)) {
            return "; it has free bytes, but no room for more files (inodes): remove some files, or choose another"
                    + " destination";
        }
        if (reason.contains("No space left") || reason.contains("quota")) {
            return "; free some space, or choose another destination";
        }
        if (isRefusal(cause)) {
            return "; give this user the right to write there, or choose another destination";
        }
        if (cause instanceof AtomicMoveNotSupportedException) {
            return "; another file system is mounted there: make that the destination";
        }
        if (reason.contains("Read-only")) {
            return "; mount it for writing, or choose another destination";
        }
        if (reason.contains("File name too long")) {
            return "; choose a destination with a shorter path";
        }
        return "";
    }
}
