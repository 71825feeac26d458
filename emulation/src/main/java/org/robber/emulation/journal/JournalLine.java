package org.robber.emulation.journal;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;

/**
 * A line of a journal: a JSON object. Reading a missing field throws an {@link IllegalArgumentException}.
 */
record JournalLine(JsonPlace fields) {

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no JSON object
     */
    static JournalLine parse(String text) {
        JsonPlace fields = JsonTree.parse("entry", text);
        fields.keys("an object");
        return new JournalLine(fields);
    }

    String text(String name) {
        return fields.field(name).text("a text");
    }

    long number(String name) {
        return number(fields.field(name));
    }

    Map<String, String> texts(String name) {
        JsonPlace object = fields.field(name);
        Map<String, String> texts = new LinkedHashMap<>();
        object.keys("an object of texts")
                .forEach(key -> texts.put(key, object.field(key).text("a text")));
        return texts;
    }

    ImmutableList<Long> numbers(String name) {
        return numbers(fields.field(name));
    }

    /** A list of lists with this number of values each. */
    ImmutableList<ImmutableList<Long>> table(String name, int columns) {
        ImmutableList.Builder<ImmutableList<Long>> rows = ImmutableList.builder();
        for (JsonPlace row : fields.field(name).items("a list of lists")) {
            ImmutableList<Long> numbers = numbers(row);
            if (numbers.size() != columns) {
                throw row.fault("a list of " + columns + " numbers");
            }
            rows.add(numbers);
        }
        return rows.build();
    }

    private static ImmutableList<Long> numbers(JsonPlace list) {
        return list.items("a list of numbers").stream()
                .map(JournalLine::number)
                .collect(ImmutableList.toImmutableList());
    }

    private static long number(JsonPlace place) {
        return place.whole("a whole number");
    }
}
