package org.robber.emulation.testbed.program;

import java.util.Optional;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;

/**
 * An event that a program of the testbed reports in a line of its output: a JSON object with {@code schema} 1 and a {@code
 * type}, such as {@code {"schema": 1, "type": "started"}}. A launcher may add text before and after it.
 *
 * @param type what happened
 * @param fields the whole object
 */
public record EventLine(String type, JsonPlace fields) {

    /** The transfer begins. */
    public static final String STARTED = "started";

    /** A node has everything. */
    public static final String DONE = "done";

    private static final int SCHEMA = 1;

    /** The event in this line; none if it holds no JSON object, one of another schema, or one without a type. */
    public static Optional<EventLine> parse(String line) {
        int begin = line.indexOf('{');
        int end = line.lastIndexOf('}');
        if (begin < 0 || end < begin || !line.contains("\"type\"")) {
            return Optional.empty();
        }
        try {
            JsonPlace fields = JsonTree.parse("event", line.substring(begin, end + 1));
            JsonPlace schema = fields.field("schema");
            if (!schema.isAbsent() && schema.whole("the number of a schema") != SCHEMA) {
                return Optional.empty();
            }
            return Optional.of(new EventLine(fields.field("type").text("the type of an event"), fields));
        } catch (JsonException e) {
            // a line for people that looks like JSON
            return Optional.empty();
        }
    }
}
