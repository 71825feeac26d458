package org.robber.cli.filter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A pattern of paths, with rsync's meaning:
 *
 * <ul>
 *   <li>A slash at its start ties it to the top of what is copied. Otherwise it may begin at any name of the path.
 *   <li>A slash at its end lets it match directories only.
 *   <li>Without any other slash, and without {@code **}, it is compared with the last name of the path alone.
 *   <li>{@code name/***} matches the directory and all that is in it.
 *   <li>Backslashes are characters like others where a pattern has no wildcard.
 * </ul>
 */
final class PathPattern {

    private final Wildcards wildcards;
    private final boolean directoriesOnly;
    private final boolean anchored;
    private final boolean takesContents;
    private final boolean crossesSlashes;
    private final boolean startsAnywhere;
    private final int slashes;

    /** @throws IllegalArgumentException if it is no pattern: the message says why */
    PathPattern(String text) {
        directoriesOnly = text.endsWith("/") && text.length() > 1;
        String body = directoriesOnly ? text.substring(0, text.length() - 1) : text;
        anchored = body.startsWith("/");
        takesContents = body.endsWith("/***");
        crossesSlashes = body.contains("**");
        startsAnywhere = body.startsWith("**");
        body = anchored ? body.substring(1) : body;
        if (body.isEmpty()) {
            throw new IllegalArgumentException(
                    text.isEmpty() ? "the pattern is empty" : "'" + text + "' names nothing");
        }
        slashes = (int) body.chars().filter(c -> c == '/').count();
        boolean wild = body.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try {
            wildcards = new Wildcards(wild ? bytes : literal(bytes));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
        }
    }

    private static byte[] literal(byte[] bytes) {
        ByteArrayOutputStream escaped = new ByteArrayOutputStream(2 * bytes.length);
        for (byte one : bytes) {
            escaped.write('\\');
            escaped.write(one);
        }
        return escaped.toByteArray();
    }

    /** Whether it matches this path, which is relative to the top of what is copied. */
    boolean matches(byte[] path, boolean isDirectory) {
        if (directoriesOnly && !isDirectory) {
            return false;
        }
        // "dir/***" takes "dir/" as well
        byte[] text = takesContents && isDirectory ? with(path, '/') : path;
        if (anchored) {
            return wildcards.matches(text, 0);
        }
        if (startsAnywhere) {
            return wildcards.matches(slashBefore(text), 0) || wildcards.matches(text, 0);
        }
        if (crossesSlashes) {
            return matchesBehindSlash(text);
        }
        return wildcards.matches(text, startOfLast(text, slashes + 1));
    }

    private boolean matchesBehindSlash(byte[] text) {
        for (int start = 0; start < text.length; start++) {
            if ((start == 0 || text[start - 1] == '/') && wildcards.matches(text, start)) {
                return true;
            }
        }
        return false;
    }

    /** Where so many names at the end of the path begin. */
    private static int startOfLast(byte[] path, int names) {
        int left = names;
        for (int at = path.length - 1; at >= 0; at--) {
            if (path[at] == '/' && --left == 0) {
                return at + 1;
            }
        }
        return 0;
    }

    private static byte[] with(byte[] path, char last) {
        byte[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = (byte) last;
        return longer;
    }

    private static byte[] slashBefore(byte[] path) {
        byte[] longer = new byte[path.length + 1];
        longer[0] = '/';
        System.arraycopy(path, 0, longer, 1, path.length);
        return longer;
    }
}
