package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.testbed.program.EventLine;
import org.robber.emulation.testbed.program.NodeExit;

/**
 * The times that programs report on their standard output, as {@code events.schema.json} describes: a line of type {@code started}
 * when the root begins, and one of type {@code done} when a node has everything. The latter has the seconds since the start. So the
 * time of such a program does not include its start and its end.
 */
final class ReportedTimes {

    private static final double MOST_SECONDS = 1e9;
    private static final int MOST_RANK = 1_000_000_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ImmutableMap<Integer, Long> nanos;

    private ReportedTimes(Map<Integer, Long> nanos) {
        this.nanos = ImmutableMap.copyOf(nanos);
    }

    /**
     * The times in the output of these programs. The output of a launcher may hold lines of other nodes, which have their
     * rank. Lines with values that the schema does not allow are ignored.
     */
    static ReportedTimes of(List<NodeExit> exits) {
        Map<Integer, Long> nanos = new HashMap<>();
        for (NodeExit exit : exits) {
            exit.done()
                    .forEach(line -> EventLine.parse(line).ifPresent(event -> add(nanos, event.fields(), exit.rank())));
        }
        return new ReportedTimes(nanos);
    }

    private static void add(Map<Integer, Long> nanos, JsonPlace event, int ownRank) {
        try {
            JsonPlace rank = event.field("rank");
            double seconds = event.field("seconds")
                    .number("seconds since the start", 0, MOST_SECONDS)
                    .doubleValue();
            nanos.put(
                    rank.isAbsent()
                            ? ownRank
                            : rank.number("a rank", 0, MOST_RANK).intValue(),
                    Math.round(seconds * NANOS_PER_SECOND));
        } catch (JsonException e) {
            // the end of the program counts
        }
    }

    /** When this node was done; the other value if it has reported nothing. */
    long nanosOf(int rank, long otherwise) {
        return nanos.getOrDefault(rank, otherwise);
    }
}
