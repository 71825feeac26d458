package org.robber.cli.filter;

import java.util.ArrayList;
import java.util.List;
import org.robber.transport.storage.file.EntryFilter;

/** Rules in their order: the first whose pattern matches decides, and what no pattern matches is taken. */
public final class PathRules implements EntryFilter {

    private record Rule(boolean takes, PathPattern pattern) {}

    private final List<String> texts = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();

    /** Rules as {@link #texts} gives them. */
    public static PathRules of(List<String> texts) {
        PathRules rules = new PathRules();
        texts.forEach(text -> rules.add(false, text));
        return rules;
    }

    /**
     * Adds a rule.
     *
     * @param takes whether what it matches is taken, unless the text begins with {@code "+ "} or {@code "- "}
     * @param text a pattern, perhaps with one of these before it; or {@code !}, which removes all rules so far
     * @throws IllegalArgumentException if it is no rule
     */
    void add(boolean takes, String text) {
        if (text.equals("!")) {
            rules.clear();
            texts.clear();
            return;
        }
        boolean told = text.startsWith("+ ") || text.startsWith("- ");
        boolean taking = told ? text.charAt(0) == '+' : takes;
        String pattern = told ? text.substring(2) : text;
        rules.add(new Rule(taking, new PathPattern(pattern)));
        texts.add((taking ? "+ " : "- ") + pattern);
    }

    /** The rules in words that {@link #of} understands. */
    public List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public boolean takes(byte[] path, boolean isDirectory) {
        for (Rule rule : rules) {
            if (rule.pattern.matches(path, isDirectory)) {
                return rule.takes;
            }
        }
        return true;
    }
}
