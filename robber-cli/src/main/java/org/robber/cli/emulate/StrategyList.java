package org.robber.cli.emulate;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import org.robber.core.strategy.Strategies;

/**
 * Several strategies in one text: {@code robber,bittorrent:rarest,endgame,mob}. A comma separates strategies, and the options
 * of one strategy: a word that is the name of a strategy begins a new one.
 */
public final class StrategyList {

    private StrategyList() {}

    /**
     * The names of these strategies, each with its options in order.
     *
     * @param texts as users write them
     * @throws IllegalArgumentException if one is unknown or repeated; the message names it
     */
    public static ImmutableList<String> parse(Collection<String> texts) {
        List<String> names = new ArrayList<>();
        for (String text : texts) {
            for (String one : split(text)) {
                String name = Strategies.byName(one).name();
                if (names.contains(name)) {
                    throw new IllegalArgumentException("'" + name + "' is named twice");
                }
                names.add(name);
            }
        }
        return ImmutableList.copyOf(names);
    }

    private static List<String> split(String text) {
        SortedSet<String> known = Strategies.names();
        List<String> strategies = new ArrayList<>();
        for (String word : Splitter.on(',').split(text)) {
            int last = strategies.size() - 1;
            if (last >= 0 && strategies.get(last).contains(":") && !known.contains(nameOf(word))) {
                strategies.set(last, strategies.get(last) + "," + word);
            } else {
                strategies.add(word);
            }
        }
        return strategies;
    }

    private static String nameOf(String word) {
        int colon = word.indexOf(':');
        return colon < 0 ? word : word.substring(0, colon);
    }
}
