package org.robber.cli.emulate;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.emulation.testbed.program.NodeExit;

/**
 * What programs say of their times, in the words of {@code robber-cli replicate --progress=json}: a line {@code
 * {"schema":1,"type":"started"}} when the root begins, and {@code {"schema":1,"type":"done","rank":3,"seconds":12.5}} when a node
 * has everything, with the seconds since then. Whoever measures itself need not have starting and ending counted in.
 */
final class SaidTimes {

    /** Stands in the line that tells of the start. */
    static final String STARTED = "\"type\":\"started\"";

    private static final String DONE = "\"type\":\"done\"";
    private static final Pattern RANK = Pattern.compile("\"rank\":(\\d{1,9})\\b");
    private static final Pattern SECONDS = Pattern.compile("\"seconds\":(\\d{1,9}(?:\\.\\d{1,18})?)");
    private static final double NANOS_PER_SECOND = 1e9;

    private final ImmutableMap<Integer, Long> nanos;

    private SaidTimes(Map<Integer, Long> nanos) {
        this.nanos = ImmutableMap.copyOf(nanos);
    }

    /** What these programs have said. Of a launcher's output, which holds what others say, the rank tells whose time it is. */
    static SaidTimes of(List<NodeExit> exits) {
        Map<Integer, Long> nanos = new HashMap<>();
        for (NodeExit exit : exits) {
            exit.output().lines().filter(line -> line.contains(DONE)).forEach(line -> {
                Matcher seconds = SECONDS.matcher(line);
                if (seconds.find()) {
                    Matcher rank = RANK.matcher(line);
                    nanos.put(
                            rank.find() ? Integer.parseInt(rank.group(1)) : exit.rank(),
                            Math.round(Double.parseDouble(seconds.group(1)) * NANOS_PER_SECOND));
                }
            });
        }
        return new SaidTimes(nanos);
    }

    /** When this node was done; the other value if nothing was said of it. */
    long nanosOf(int rank, long otherwise) {
        return nanos.getOrDefault(rank, otherwise);
    }
}
