package org.robber.transport.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Host names as cluster software abbreviates them: {@code node[01-03,07],gpu5}. Several brackets in a name multiply, the
 * first varying slowest. Open MPI says the number of digits apart: {@code node[2:1-3,7]}.
 */
public final class HostList {
    private static final int MAX_HOSTS = 1 << 20;

    /** Most brackets in one name. */
    private static final int MAX_BRACKETS = 16;

    private static final Pattern BRACKETS =
            Pattern.compile("(?<before>[^\\[\\]]*)\\[(?:(?<digits>\\d):)?(?<ranges>[^\\[\\]]*)](?<after>.*)");
    private static final Pattern RANGE = Pattern.compile("(?<first>\\d{1,9})(?:-(?<last>\\d{1,9}))?");

    private final String text;
    private final int mostHosts;
    private final List<String> hosts = new ArrayList<>();

    private HostList(String text, int mostHosts) {
        this.text = text;
        this.mostHosts = mostHosts;
    }

    /**
     * All names, in order; at least one.
     *
     * @throws IllegalArgumentException if this isn't such a list, or one of more than a million hosts
     */
    static List<String> expand(String text) {
        return expand(text, MAX_HOSTS);
    }

    /**
     * All names, in order; at least one.
     *
     * @throws IllegalArgumentException if this isn't such a list, or one of more hosts than that
     */
    public static List<String> expand(String text, int mostHosts) {
        HostList list = new HostList(text, mostHosts);
        for (String name : split(text)) {
            list.add("", name, 0);
        }
        return List.copyOf(list.hosts);
    }

    /** The parts of a list, which are divided by commas that don't stand in brackets. */
    public static List<String> split(String text) {
        List<String> names = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                names.add(text.substring(start, i));
                start = i + 1;
            }
        }
        names.add(text.substring(start));
        return names;
    }

    private void add(String done, String rest, int brackets) {
        require(brackets <= MAX_BRACKETS);
        Matcher matcher = BRACKETS.matcher(rest);
        if (matcher.matches()) {
            String before = done + matcher.group("before");
            int digits = matcher.group("digits") == null ? 0 : Integer.parseInt(matcher.group("digits"));
            for (String range : matcher.group("ranges").split(",", -1)) {
                addRange(before, digits, range, matcher.group("after"), brackets + 1);
            }
        } else {
            require(!(done + rest).isEmpty() && rest.indexOf('[') < 0 && rest.indexOf(']') < 0);
            hosts.add(done + rest);
            if (hosts.size() > mostHosts) {
                throw new IllegalArgumentException("not a list of hosts: " + text + ": more than " + mostHosts);
            }
        }
    }

    private void addRange(String before, int digits, String range, String after, int brackets) {
        Matcher matcher = RANGE.matcher(range);
        require(matcher.matches());
        String first = matcher.group("first");
        String last = matcher.group("last") == null ? first : matcher.group("last");
        int width = Math.max(digits, first.length());
        require(Integer.parseInt(first) <= Integer.parseInt(last));
        for (int number = Integer.parseInt(first); number <= Integer.parseInt(last); number++) {
            add(before + "0".repeat(Math.max(0, width - Integer.toString(number).length())) + number, after, brackets);
        }
    }

    private void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("not a list of hosts: " + text);
        }
    }
}
