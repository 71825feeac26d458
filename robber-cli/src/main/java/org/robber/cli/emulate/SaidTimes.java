package org.robber.cli.emulate;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.testbed.program.EventLine;
import org.robber.emulation.testbed.program.NodeExit;

/**
 * What programs report of their times, as {@code events.schema.json} describes it: a line of type {@code started} when the root
 * begins, and one of type {@code done} when a node has everything, with the seconds since then. So the time of a program that
 * measures itself does not include its start and its end.
 */
final class SaidTimes {

    private static final double MOST_SECONDS = 1e9;
    private static final int MOST_RANK = 1_000_000_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ImmutableMap<Integer, Long> nanos;

    private SaidTimes(Map<Integer, Long> nanos) {
        this.nanos = ImmutableMap.copyOf(nanos);
    }

    /**
     * What these programs have reported. A launcher's output holds lines of other nodes: their rank tells whose time it is. Lines
     * with other values than the schema allows are ignored.
     */
    static SaidTimes of(List<NodeExit> exits) {
        Map<Integer, Long> nanos = new HashMap<>();
        for (NodeExit exit : exits) {
            exit.output()
                    .lines()
                    .forEach(line -> EventLine.parse(line)
                            .filter(event -> event.type().equals(EventLine.DONE))
                            .ifPresent(event -> add(nanos, event.fields(), exit.rank())));
        }
        return new SaidTimes(nanos);
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
            // the time when the program ended counts
        }
    }

    /** When this node was done; the other value if nothing was reported of it. */
    long nanosOf(int rank, long otherwise) {
        return nanos.getOrDefault(rank, otherwise);
    }
}
