package org.robber.cli.report;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, in words: the exceptions of files mostly name nothing but the file. */
public final class FileFailure {

    private FileFailure() {}

    /** The reason, with the file if it is known; of anything but a failure of input or output, its kind also. */
    public static String text(Throwable failure) {
        return failure instanceof IOException known ? text(known) : failure.toString();
    }

    /** The file and the reason. */
    public static String text(IOException failure) {
        if (failure instanceof FileSystemException known && known.getReason() == null) {
            return known.getFile() + ": " + reason(known);
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not a text in UTF-8";
        }
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static String reason(FileSystemException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        // said of a file in a folder that is there, where the file system makes no files, as /proc does not
        return failure instanceof NoSuchFileException
                ? "nothing can be created there"
                : failure.getClass().getSimpleName();
    }
}
