package org.robber.transport.rankzero;

import com.google.common.base.Splitter;
import com.google.common.collect.Sets;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Announce;

/** Compares what nodes announce with the options of rank 0. */
final class AnnouncementCheck {
    private final JobOptions options;

    AnnouncementCheck(JobOptions options) {
        this.options = options;
    }

    /** Why this node does not fit, or null if it does. */
    @Nullable
    String mismatch(Announce node) {
        if (!node.job().equals(options.job())) {
            return ControlFailures.who(node) + " belongs to the job '" + node.job() + "', but this is the job '"
                    + options.job() + "'";
        }
        if (node.size() != options.size()) {
            return ControlFailures.who(node) + " believes in " + node.size() + " nodes, rank 0 in " + options.size();
        }
        if (node.rank() >= node.size()) {
            return ControlFailures.who(node) + " says it is rank " + node.rank() + " of " + node.size() + " nodes";
        }
        if (!node.settings().equals(options.settings())) {
            return ControlFailures.who(node) + " has the settings '" + node.settings() + "', rank 0 has '"
                    + options.settings() + "'" + settingsThatDiffer(node.settings(), options.settings());
        }
        return null;
    }

    /** Whether only the settings differ: no node was started wrongly by itself. */
    boolean isOfThisJob(Announce node) {
        return node.job().equals(options.job()) && node.size() == options.size() && node.rank() < node.size();
    }

    /**
     * Says what differs: the commands, or else the options, such as {@code : the values of --bandwidths differ; ...}; empty if settings are no options, or
     * no option differs.
     */
    static String settingsThatDiffer(String one, String other) {
        SortedSet<String> options = options(one);
        SortedSet<String> otherOptions = options(other);
        String command = command(one);
        String otherCommand = command(other);
        boolean areCommands = !command.isEmpty() && !otherCommand.isEmpty();
        if (areCommands && !command.equals(otherCommand) && !(options.isEmpty() && otherOptions.isEmpty())) {
            return ": the commands " + command + " and " + otherCommand + " differ; give all nodes the same";
        }
        SortedSet<String> names = new TreeSet<>();
        Sets.symmetricDifference(options, otherOptions).forEach(option -> names.add(name(option)));
        if (names.isEmpty()) {
            return "";
        }
        return ": the values of " + String.join(", ", names) + " differ; give all nodes the same";
    }

    private static SortedSet<String> options(String settings) {
        SortedSet<String> options = new TreeSet<>();
        for (String word : Splitter.on(' ').split(settings)) {
            if (word.startsWith("--")) {
                options.add(word);
            }
        }
        return options;
    }

    /** The first word, unless it is an option. */
    private static String command(String settings) {
        String first = Splitter.on(' ').split(settings).iterator().next();
        return first.startsWith("--") ? "" : first;
    }

    private static String name(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }
}
