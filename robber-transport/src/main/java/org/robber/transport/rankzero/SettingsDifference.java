package org.robber.transport.rankzero;

import com.google.common.base.Splitter;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which options make the difference between the settings of two nodes: in long lines it is hard to see. */
final class SettingsDifference {

    private SettingsDifference() {}

    /** Such as {@code : the values of --bandwidths differ; ...}; empty if settings are no options, or no option differs. */
    static String text(String one, String other) {
        SortedSet<String> onlyOne = options(one);
        SortedSet<String> onlyOther = options(other);
        SortedSet<String> common = new TreeSet<>(onlyOne);
        common.retainAll(onlyOther);
        onlyOne.removeAll(common);
        onlyOther.removeAll(common);
        SortedSet<String> names = new TreeSet<>();
        onlyOne.forEach(option -> names.add(name(option)));
        onlyOther.forEach(option -> names.add(name(option)));
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

    private static String name(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }
}
