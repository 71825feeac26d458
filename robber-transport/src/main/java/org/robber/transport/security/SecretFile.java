package org.robber.transport.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Reads a secret from a file that only its owner can read. The secret itself appears in no message. */
public final class SecretFile {
    private static final int MAX_BYTES = 1 << 16;
    private static final Set<PosixFilePermission> NOT_FOR_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private SecretFile() {}

    /**
     * The secret, without the newline at its end if there is one; at least one byte, at most 64 KiB.
     *
     * @throws RobberException with reason USAGE if there is no such regular file, it can't be read, others than its owner may
     *     read or change it, or it is empty
     */
    public static byte[] read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw unusable(file, Files.exists(file) ? "not a regular file" : "no such file");
            }
            checkPrivate(file, "secret file");
            byte[] content = content(file);
            if (content.length > MAX_BYTES) {
                throw unusable(file, "larger than " + MAX_BYTES + " bytes");
            }
            byte[] secret = withoutNewline(content);
            if (secret.length == 0) {
                throw unusable(file, "empty");
            }
            return secret;
        } catch (NoSuchFileException e) {
            throw unusable(file, "no such file");
        } catch (AccessDeniedException e) {
            throw unusable(file, "permission denied");
        } catch (IOException e) {
            throw new RobberException(
                    Reason.USAGE, List.of(), "secret", "secret file " + file + " can't be read: " + e.getMessage(), e);
        }
    }

    /** @throws RobberException if others than its owner may read or change it */
    static void checkPrivate(Path file, String what) {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        try {
            // Elsewhere than on POSIX file systems there is nothing to compare.
            if (view != null && !Collections.disjoint(view.readAttributes().permissions(), NOT_FOR_OTHERS)) {
                throw unusable(what, file, "open to others than its owner; run chmod 600 " + file);
            }
        } catch (IOException e) {
            throw unusable(what, file, "its permissions can't be read: " + e.getMessage());
        }
    }

    private static byte[] content(Path file) throws IOException {
        try (InputStream input = Files.newInputStream(file)) {
            return input.readNBytes(MAX_BYTES + 1);
        }
    }

    private static byte[] withoutNewline(byte[] content) {
        int end = content.length;
        if (end > 0 && content[end - 1] == '\n') {
            end--;
            if (end > 0 && content[end - 1] == '\r') {
                end--;
            }
        }
        return Arrays.copyOf(content, end);
    }

    private static RobberException unusable(Path file, String why) {
        return unusable("secret file", file, why);
    }

    private static RobberException unusable(String what, Path file, String why) {
        return new RobberException(Reason.USAGE, List.of(), "secret", what + " " + file + ": " + why);
    }
}
