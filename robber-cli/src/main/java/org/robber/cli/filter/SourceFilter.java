package org.robber.cli.filter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.report.FileFailure;
import org.robber.transport.storage.file.EntryFilter;

/** A selection whose files are read: decides on each entry of a source. */
public final class SourceFilter implements EntryFilter {

    private static final String PHASE = "scan";

    private final PathRules rules = new PathRules();
    private final @Nullable ListedPaths listed;

    /** @throws RobberException with {@code USAGE} if a file cannot be read, or a pattern is none */
    public SourceFilter(Selection selection) {
        for (RuleText rule : selection.rules()) {
            String option = rule.kind().option();
            if (rule.kind() == Kind.EXCLUDE_FROM) {
                lines(option, rule.text()).forEach(line -> add(option + "=" + rule.text(), false, line));
            } else {
                add(option, rule.kind() == Kind.INCLUDE, rule.text());
            }
        }
        listed = selection.filesFrom().isEmpty() ? null : listed(selection.filesFrom());
    }

    private void add(String option, boolean takes, String text) {
        try {
            rules.add(takes, text);
        } catch (IllegalArgumentException e) {
            throw usage(option + ": " + e.getMessage());
        }
    }

    private static ListedPaths listed(String file) {
        try {
            return new ListedPaths(lines("--files-from", file));
        } catch (IllegalArgumentException e) {
            throw usage("--files-from=" + file + ": " + e.getMessage());
        }
    }

    /** The lines of a file, without comments and empty ones. */
    private static List<String> lines(String option, String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(";"))
                    .toList();
        } catch (IOException e) {
            throw usage(option + "=" + file + " cannot be read: "
                    + (e instanceof NoSuchFileException ? "there is no such file" : FileFailure.text(e)));
        } catch (InvalidPathException e) {
            throw usage(option + ": " + e.getMessage());
        }
    }

    private static RobberException usage(String message) {
        return new RobberException(Reason.USAGE, List.of(), PHASE, message);
    }

    @Override
    public boolean takes(byte[] path, boolean isDirectory) {
        return (listed == null || listed.takes(path, isDirectory)) && rules.takes(path, isDirectory);
    }

    /** Paths of {@code --files-from} that are not in the source; to be asked when all of it was looked at. */
    public List<String> missing() {
        return listed == null ? List.of() : listed.unseen();
    }

    /** The rules, with those of files, for nodes that must know what was left out. */
    public List<String> rules() {
        return rules.texts();
    }
}
