package org.robber.cli.filter;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.robber.transport.storage.file.EntryFilter;

/** A list of paths: takes these, the directories that they are in, and all that is in those of them that are directories. */
final class ListedPaths implements EntryFilter {

    /** Each character stands for a byte. */
    private final TreeSet<String> paths = new TreeSet<>();

    private final TreeSet<String> unseen = new TreeSet<>();

    /**
     * @param lines a path in each
     * @throws IllegalArgumentException if one leads out of the source
     */
    ListedPaths(List<String> lines) {
        for (String line : lines) {
            StringBuilder path = new StringBuilder();
            for (String name : Splitter.on('/').split(bytes(line.getBytes(StandardCharsets.UTF_8)))) {
                if (name.equals("..")) {
                    throw new IllegalArgumentException("'" + line + "' leads out of the source");
                }
                if (!name.isEmpty() && !name.equals(".")) {
                    path.append(path.isEmpty() ? "" : "/").append(name);
                }
            }
            // "." alone is all of the source
            paths.add(path.toString());
        }
        unseen.addAll(paths);
        unseen.remove("");
    }

    private static String bytes(byte[] path) {
        return new String(path, StandardCharsets.ISO_8859_1);
    }

    @Override
    public boolean takes(byte[] path, boolean isDirectory) {
        String text = bytes(path);
        unseen.remove(text);
        if (isListed(text)) {
            return true;
        }
        String below = paths.ceiling(text + "/");
        return isDirectory && below != null && below.startsWith(text + "/");
    }

    /** Whether it, or a directory that it is in, is in the list. */
    private boolean isListed(String text) {
        for (int end = text.length(); end > 0; end = text.lastIndexOf('/', end - 1)) {
            if (paths.contains(text.substring(0, end))) {
                return true;
            }
        }
        return paths.contains("");
    }

    /** Those that {@link #takes} was not asked for, so that they do not exist. */
    List<String> unseen() {
        return unseen.stream()
                .map(path -> new String(path.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .toList();
    }
}
