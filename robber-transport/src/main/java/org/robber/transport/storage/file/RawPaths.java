package org.robber.transport.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.file.Path;
import org.robber.transport.manifest.PathText;

/**
 * Paths from bytes and back, byte for byte, in any locale. Names in ASCII go through strings, which is fast; for all others
 * the only forms of a {@link Path} that don't depend on the locale are URIs, where every byte can be written as {@code %XX}.
 */
public final class RawPaths {
    private static final Path TOP = Path.of("/");

    private RawPaths() {}

    /** What these bytes, one or several names with slashes between them, name inside the directory. */
    public static Path resolve(Path directory, byte[] path) {
        return isAscii(path) ? directory.resolve(new String(path, US_ASCII)) : directory.resolve(relative(path));
    }

    /** The last name of the path. */
    public static byte[] name(Path path) {
        Path name = path.getFileName();
        return name == null ? new byte[0] : bytes(name);
    }

    /**
     * The target of a link. A slash at the end is kept, since it says that the target is a directory; of several slashes in a
     * row the JDK keeps one, which means the same.
     */
    public static Path linkTarget(byte[] target) {
        String text = new String(target, US_ASCII);
        if (isAscii(target) && !text.endsWith("/")) {
            return Path.of(text);
        }
        return target[0] == '/' ? absolute(target) : relative(target);
    }

    /** The bytes of the path. */
    public static byte[] bytes(Path path) {
        String text = path.toString();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == 0 || text.charAt(i) >= 0x80) {
                return bytesByUri(path);
            }
        }
        return text.getBytes(US_ASCII);
    }

    /** The path for people, on one line. */
    public static String text(Path path) {
        return PathText.of(bytes(path));
    }

    private static byte[] bytesByUri(Path path) {
        // A URI is absolute, and gets a slash at its end if a directory of that name happens to exist. The name added
        // here
        // takes that slash, and keeps it apart from those that belong to the path.
        String uri = TOP.resolve(path).resolve("x").toUri().getRawPath();
        int end = uri.length() - (uri.endsWith("/") ? "/x/" : "/x").length();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(end);
        for (int i = path.isAbsolute() ? 0 : 1; i < end; i++) {
            char c = uri.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(uri, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toByteArray();
    }

    private static Path relative(byte[] path) {
        byte[] absolute = new byte[path.length + 1];
        absolute[0] = '/';
        System.arraycopy(path, 0, absolute, 1, path.length);
        Path result = absolute(absolute);
        return result.subpath(0, result.getNameCount());
    }

    private static Path absolute(byte[] path) {
        StringBuilder uri = new StringBuilder("file://");
        for (byte b : path) {
            if (b == '/') {
                uri.append('/');
            } else {
                uri.append('%').append(Character.forDigit((b >> 4) & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
            }
        }
        // One slash at the end is taken for a mark of directories, and dropped.
        return Path.of(URI.create(path[path.length - 1] == '/' ? uri.append('/').toString() : uri.toString()));
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
