package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.emulation.testbed.program.NodeProgram;

/**
 * A command for the shell, the same for every node except for placeholders: {@code {rank}}, {@code {size}}, {@code
 * {cluster}}, {@code {address}}, {@code {root-rank}} and {@code {root-address}}. Other braces, and those of {@code ${rank}}, are the shell's.
 *
 * @param text as the user wrote it
 * @param environment further variables, the same on every node
 */
public record ExecCommand(String text, ImmutableMap<String, String> environment) {

    private static final Pattern PLACEHOLDER = Pattern.compile("(?<!\\$)\\{([a-z-]+)}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:+@%-]+");

    /** The programs of all nodes of a testbed, by rank. */
    public ImmutableList<NodeProgram> programs(Testbed testbed) {
        int size = testbed.places().size();
        int root = testbed.scenario().rankOf(testbed.scenario().root());
        ImmutableList.Builder<NodeProgram> programs = ImmutableList.builder();
        for (int rank = 0; rank < size; rank++) {
            int cluster = testbed.places().get(rank).cluster();
            ImmutableMap<String, String> values = ImmutableMap.of(
                    "rank", Integer.toString(rank),
                    "size", Integer.toString(size),
                    "cluster", testbed.scenario().clusters().get(cluster).name(),
                    "address", testbed.address(rank),
                    "root-rank", Integer.toString(root),
                    "root-address", testbed.address(root));
            programs.add(new NodeProgram(ImmutableList.of("sh", "-c", expand(values)), environment));
        }
        return programs.build();
    }

    /** The command with these values, quoted where the shell would not take them as they are. */
    String expand(ImmutableMap<String, String> values) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> {
            String value = values.get(match.group(1));
            return Matcher.quoteReplacement(value == null ? match.group() : quoted(value));
        });
    }

    private static String quoted(String value) {
        return PLAIN.matcher(value).matches() ? value : "'" + value.replace("'", "'\\''") + "'";
    }
}
