package org.robber.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which entries of the source are copied, and what becomes of others in the destination. */
public final class FilterOptions {

    /** The keys of configuration files that may be there several times. */
    public static final Set<String> LISTS = Set.of("include", "exclude", "exclude-from");

    /** In the environment and in configuration files, each line is a value. */
    private static final String LINES = "\n";

    private final List<RuleText> rules = new ArrayList<>();

    // Each in a class of its own: the order of methods in a class is not known at run time, that of fields is.
    @Mixin
    @SuppressWarnings("UnusedVariable") // read by the parser
    private IncludeOption include = new IncludeOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // read by the parser
    private ExcludeOption exclude = new ExcludeOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // read by the parser
    private ExcludeFromOption excludeFrom = new ExcludeFromOption();

    @Option(
            names = "--files-from",
            paramLabel = "FILE",
            description =
                    "Copy only the paths that this file lists, one in a line, relative to SRC. SRC counts as SRC/.")
    private @Nullable String filesFrom;

    @Option(
            names = "--delete",
            fallbackValue = "true",
            arity = "0",
            description =
                    "When a copy is in place: remove from its directories what the source does not have. What is left"
                            + " out by patterns stays. With -n: list it.")
    private boolean deletes;

    /** {@code --include}. */
    final class IncludeOption {
        @Option(
                names = "--include",
                paramLabel = "PATTERN",
                split = LINES,
                description =
                        "Copy what matches, whatever later options leave out. The first of all patterns that matches"
                                + " decides, with rsync's meaning.")
        void set(@Nullable List<String> patterns) {
            add(Kind.INCLUDE, patterns);
        }
    }

    /** {@code --exclude}. */
    final class ExcludeOption {
        @Option(names = "--exclude", paramLabel = "PATTERN", split = LINES, description = "Leave out what matches.")
        void set(@Nullable List<String> patterns) {
            add(Kind.EXCLUDE, patterns);
        }
    }

    /** {@code --exclude-from}. */
    final class ExcludeFromOption {
        @Option(
                names = "--exclude-from",
                paramLabel = "FILE",
                split = LINES,
                description = "Leave out what matches a line of this file. Lines may begin with '+ ' or '- '.")
        void set(@Nullable List<String> files) {
            add(Kind.EXCLUDE_FROM, files);
        }
    }

    /** The parser hands over all values of an option again whenever there is one more. */
    private void add(Kind kind, @Nullable List<String> texts) {
        List<String> all = texts == null ? List.of() : texts;
        long known = rules.stream().filter(rule -> rule.kind() == kind).count();
        if (all.size() < known) {
            rules.removeIf(rule -> rule.kind() == kind);
            known = 0;
        }
        all.stream().skip(known).forEach(text -> rules.add(new RuleText(kind, text)));
    }

    /**
     * The filter of these options, in their order.
     *
     * @throws IllegalArgumentException if a list of paths is wanted that has no name: without it everything would be copied
     */
    public Selection selection() {
        if (filesFrom != null && filesFrom.isEmpty()) {
            throw new IllegalArgumentException("--files-from: the name of the file is empty");
        }
        return new Selection(List.copyOf(rules), filesFrom == null ? "" : filesFrom, deletes);
    }
}
