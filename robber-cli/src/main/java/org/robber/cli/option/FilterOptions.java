package org.robber.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import picocli.CommandLine.Option;

/** Which entries of the source are copied, and what becomes of others in the destination. */
public final class FilterOptions {

    /** The keys of configuration files that may be there several times. */
    public static final Set<String> LISTS = Set.of("include", "exclude", "exclude-from");

    /** In the environment and in configuration files, each line is a value. */
    private static final String LINES = "\n";

    private final List<RuleText> rules = new ArrayList<>();
    private String filesFrom = "";

    @Option(
            names = "--include",
            paramLabel = "PATTERN",
            split = LINES,
            description = "Copy what matches, whatever later options leave out. The first of all patterns that matches"
                    + " decides, with rsync's meaning.")
    void include(@Nullable List<String> patterns) {
        add(Kind.INCLUDE, patterns);
    }

    @Option(names = "--exclude", paramLabel = "PATTERN", split = LINES, description = "Leave out what matches.")
    void exclude(@Nullable List<String> patterns) {
        add(Kind.EXCLUDE, patterns);
    }

    @Option(
            names = "--exclude-from",
            paramLabel = "FILE",
            split = LINES,
            description = "Leave out what matches a line of this file. Lines may begin with '+ ' or '- '.")
    void excludeFrom(@Nullable List<String> files) {
        add(Kind.EXCLUDE_FROM, files);
    }

    @Option(
            names = "--files-from",
            paramLabel = "FILE",
            description =
                    "Copy only the paths that this file lists, one in a line, relative to SRC. SRC counts as SRC/.")
    void filesFrom(@Nullable String file) {
        filesFrom = file == null ? "" : file;
    }

    @Option(
            names = "--delete",
            fallbackValue = "true",
            arity = "0",
            description =
                    "When a copy is in place: remove from its directories what the source does not have. What is left"
                            + " out by patterns stays. With -n: list it.")
    private boolean deletes;

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

    /** What the options say, in their order. */
    public Selection selection() {
        return new Selection(List.copyOf(rules), filesFrom, deletes);
    }
}
