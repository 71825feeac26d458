package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import java.util.List;

/**
 * The line protocol that controls the network. One line in, one line out; clusters are numbers in the order of the
 * ports.
 *
 * <pre>
 * link FROM TO BYTES_PER_SECOND DELAY_NANOS LOSS QUEUE_BYTES    make or change a link
 * cut FROM TO                                                   let nothing more onto a link
 * up CLUSTER BYTES_PER_SECOND QUEUE_BYTES                       limit what leaves a cluster
 * down CLUSTER BYTES_PER_SECOND QUEUE_BYTES                     limit what enters a cluster
 * count                                                         tell what became of the packets so far
 * </pre>
 *
 * Rates may be {@code unlimited}. The answers are {@code ok}, {@code counts ...} as {@link WanCounts} reads it, and {@code
 * error ...}, after which everything is as before.
 */
final class Commands {

    private static final String OK = "ok";
    private static final long MAX_DELAY_NANOS = 3_600_000_000_000L;
    private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();

    private final Fabric fabric;
    private final PacketCounters counters;

    Commands(Fabric fabric, PacketCounters counters) {
        this.fabric = fabric;
        this.counters = counters;
    }

    /** Carries out a command and answers it. */
    String answer(long nowNanos, String line) {
        List<String> words = WORDS.splitToList(line);
        try {
            return words.isEmpty() ? "error: an empty line" : carryOut(nowNanos, words);
        } catch (IllegalArgumentException e) {
            return "error: " + e.getMessage();
        }
    }

    private String carryOut(long nowNanos, List<String> words) {
        return switch (words.get(0)) {
            case "link" -> setLink(nowNanos, expect(words, 7));
            case "cut" -> {
                fabric.cutLink(link(expect(words, 3)));
                yield OK;
            }
            case "up" -> {
                expect(words, 4);
                fabric.setUplink(nowNanos, cluster(words.get(1)), rate(words.get(2)), count(words.get(3), "queue"));
                yield OK;
            }
            case "down" -> {
                expect(words, 4);
                fabric.setDownlink(nowNanos, cluster(words.get(1)), rate(words.get(2)), count(words.get(3), "queue"));
                yield OK;
            }
            case "count" -> {
                expect(words, 1);
                yield WanCounts.format(counters, fabric.clusters());
            }
            default -> throw new IllegalArgumentException("link, cut, up, down or count expected, not " + words.get(0));
        };
    }

    private String setLink(long nowNanos, List<String> words) {
        double rate = rate(words.get(3));
        long delayNanos = count(words.get(4), "delay");
        checkArgument(delayNanos <= MAX_DELAY_NANOS, "delay is an hour at most, not %s ns", delayNanos);
        double loss = number(words.get(5), "loss");
        checkArgument(loss < 1, "loss is a share below 1, not %s", words.get(5));
        fabric.setLink(nowNanos, link(words), rate, delayNanos, loss, count(words.get(6), "queue"));
        return OK;
    }

    private static List<String> expect(List<String> words, int count) {
        checkArgument(words.size() == count, "%s takes %s values, not %s", words.get(0), count - 1, words.size() - 1);
        return words;
    }

    private int link(List<String> words) {
        int from = cluster(words.get(1));
        int to = cluster(words.get(2));
        checkArgument(from != to, "a link from cluster %s to itself", from);
        return fabric.linkIndex(from, to);
    }

    private int cluster(String word) {
        long cluster = count(word, "cluster");
        checkArgument(cluster < fabric.clusters(), "no cluster %s: there are %s", word, fabric.clusters());
        return (int) cluster;
    }

    private static double rate(String word) {
        return word.equals("unlimited") ? Double.POSITIVE_INFINITY : number(word, "rate");
    }

    private static double number(String word, String what) {
        try {
            double number = Double.parseDouble(word);
            checkArgument(
                    number >= 0 && number < Double.POSITIVE_INFINITY, "%s is a number from 0 on, not %s", what, word);
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " is a number from 0 on, not " + word, e);
        }
    }

    private static long count(String word, String what) {
        try {
            long number = Long.parseLong(word);
            checkArgument(number >= 0, "%s is a whole number from 0 on, not %s", what, word);
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " is a whole number from 0 on, not " + word, e);
        }
    }
}
