package org.robber.emulation.runner;

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
import org.robber.emulation.runner.ExperimentException.Reason;

/** Finds scenario files by what users write: files, folders, and names with wildcards, separated by commas. */
final class ScenarioPaths {
    private static final String ALL = "*.json";

    private ScenarioPaths() {}

    /**
     * The files; those of a folder, or of a name with wildcards, sorted by name.
     *
     * @param texts as users write them
     * @throws ExperimentException if a folder or a name with wildcards has no file, or if there is no file at all
     */
    static ImmutableList<Path> find(Collection<String> texts) {
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        for (String text : texts) {
            if (Files.exists(Path.of(text))) {
                files.addAll(files(text));
                continue;
            }
            for (String one : Splitter.on(',').omitEmptyStrings().split(text)) {
                files.addAll(files(one));
            }
        }
        ImmutableList<Path> found = files.build();
        if (found.isEmpty()) {
            throw new ExperimentException(Reason.USAGE, ScenarioFiles.PHASE, "name at least one scenario file", null);
        }
        return found;
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

    private static ExperimentException missing(String text, @Nullable Throwable cause) {
        return new ExperimentException(Reason.SOURCE, ScenarioFiles.PHASE, text + ": there is no such file", cause);
    }
}
