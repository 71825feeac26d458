package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableTable;
import java.util.OptionalInt;

/**
 * Shares of the adapting optimum as published for test case 1, in percent: Table 2 of Matheswaran and Usha, "Efficient
 * Multicast for Grid Environment Using Robber and Bit Torrent Protocol".
 */
public final class PublishedFigures {

    private static final ImmutableList<String> STRATEGIES = ImmutableList.of("bittorrent", "mob", "robber", "balanced");
    private static final String PUBLISHED_OPTION = ":published";

    /** A note for readers who compare the default with the publication. */
    public static final String IMPROVED =
            "robber and mob are improved over the publication; robber:published and mob:published are its algorithms.";

    private static final ImmutableTable<String, String, Integer> PERCENT = table();

    private PublishedFigures() {}

    /** The published figure of this strategy in this scenario; {@code robber:published} has that of {@code robber}. */
    public static OptionalInt percent(String scenario, String strategy) {
        String name = strategy.endsWith(PUBLISHED_OPTION)
                ? strategy.substring(0, strategy.length() - PUBLISHED_OPTION.length())
                : strategy;
        Integer percent = PERCENT.get(scenario, name);
        return percent == null ? OptionalInt.empty() : OptionalInt.of(percent);
    }

    /** Whether this is the improved form of a published strategy. */
    public static boolean isImproved(String strategy) {
        return strategy.equals("robber") || strategy.equals("mob");
    }

    /** The strategies that figures were published for, as the publication orders them. */
    public static ImmutableList<String> strategies() {
        return STRATEGIES;
    }

    private static ImmutableTable<String, String, Integer> table() {
        ImmutableTable.Builder<String, String, Integer> table = ImmutableTable.builder();
        addRow(table, "tc1_fast_links", 13, 92, 91, 93);
        addRow(table, "tc1_slow_links", 13, 92, 91, 93);
        addRow(table, "tc1_fast_to_slow", 8, 78, 85, 19);
        addRow(table, "tc1_slow_to_fast", 18, 98, 95, 57);
        addRow(table, "tc1_mayhem", 14, 92, 90, 55);
        return table.build();
    }

    private static void addRow(ImmutableTable.Builder<String, String, Integer> table, String scenario, int... percent) {
        for (int i = 0; i < percent.length; i++) {
            table.put(scenario, STRATEGIES.get(i), percent[i]);
        }
    }
}
