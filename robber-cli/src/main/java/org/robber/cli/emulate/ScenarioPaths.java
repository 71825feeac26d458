package org.robber.cli.emulate;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Several scenarios in one text: files separated by commas, folders, or names with wildcards, which no shell replaces behind
 * {@code --scenarios=}.
 */
public final class ScenarioPaths {
    private static final String ALL = "*.json";

    private ScenarioPaths() {}

    /**
     * The files that these texts mean; those of a folder, or of wildcards, in the order of their names.
     *
     * @param texts as users write them
     * @throws RobberException if wildcards or a folder mean no file
     */
    public static ImmutableList<Path> parse(Collection<String> texts) {
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        for (String text : texts) {
            for (String one : Splitter.on(',').omitEmptyStrings().split(text)) {
                files.addAll(files(one));
            }
        }
        return files.build();
    }

    private static List<Path> files(String text) {
        Path path = Path.of(text);
        if (Files.isDirectory(path)) {
            return matching(path, ALL, text);
        }
        // a file may be called like this
        if (Files.exists(path) || !text.matches(".*[*?\\[{].*")) {
            return List.of(path);
        }
        @Nullable Path folder = path.getParent();
        return matching(
                folder == null ? Path.of("") : folder, path.getFileName().toString(), text);
    }

    private static List<Path> matching(Path folder, String pattern, String text) {
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, pattern)) {
            stream.forEach(files::add);
        } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
            throw missing(text, e);
        }
        ImmutableList<Path> sorted = ImmutableList.sortedCopyOf(files.build());
        if (sorted.isEmpty()) {
            throw missing(text, null);
        }
        return sorted;
    }

    private static RobberException missing(String text, @Nullable Throwable cause) {
        return new RobberException(Reason.SOURCE, List.of(), "read scenarios", text + ": there is no such file", cause);
    }
}
