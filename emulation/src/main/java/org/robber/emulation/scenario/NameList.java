package org.robber.emulation.scenario;

import java.util.List;
import java.util.stream.Stream;

/** Names in messages: the first of many, with commas between. */
public final class NameList {

    private NameList() {}

    /**
     * The first names, and {@code ...} in place of the others; empty if there is none.
     *
     * @param most names that are shown; no more than one beyond these is asked for
     */
    public static String first(int most, Stream<String> names) {
        List<String> begin = names.limit(most + 1L).toList();
        return begin.size() > most ? String.join(", ", begin.subList(0, most)) + ", ..." : String.join(", ", begin);
    }
}
