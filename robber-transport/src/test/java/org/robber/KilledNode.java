package org.robber;

import java.util.List;

/** A process of {@link CollectiveKillsTest}. Says on standard output what happens; a wrong result or another failure ends it with a trace. */
final class KilledNode {
    private static final int CASES_AFTER = 30;
    private static final int MOST_STREAM_BYTES = 40 << 20;

    private KilledNode() {}

    /** Arguments: rank, size, port, cluster, seed, victims. */
    public static void main(String[] args) {
        JobOptions options = JobOptions.of(
                        "kills",
                        "127.0.0.1",
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[0]),
                        Integer.parseInt(args[1]))
                .withCluster(args[3]);
        try (Robber robber = Robber.join(options, port -> say("port " + port))) {
            robber.world().barrier();
            say("begun");
            CallsOverLosses calls = new CallsOverLosses(
                    robber.world(),
                    Long.parseLong(args[4]),
                    Integer.parseInt(args[5]),
                    CASES_AFTER,
                    MOST_STREAM_BYTES,
                    ranks -> say("lost " + ranks));
            List<Integer> left = calls.live();
            if (!left.isEmpty()) {
                say("left " + left + " after " + calls.cases() + " cases");
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
