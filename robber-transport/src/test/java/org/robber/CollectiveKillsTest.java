package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.NodeProcess.Line;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/**
 * Processes that make random collective calls, of which one or two are killed by SIGKILL at a random moment. All others learn who is lost, and go on in a
 * smaller group with right results. {@code -Drobber.scale=150} kills in 300 runs; each prints a line.
 */
class CollectiveKillsTest {
    private static final int RUNS = SeededRuns.count(2);

    /** From a kill until every other process knows of it. */
    private static final Duration LOSS_LIMIT = Duration.ofSeconds(10);

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(90);
    private static final int LATEST_KILL_MILLIS = 1500;
    private static final int LATEST_SECOND_KILL_MILLIS = 300;

    /** Whom to kill, and when; the first after all have begun, the second after the first. */
    private record Plan(long seed, List<String> clusters, List<Integer> victims, List<Integer> delaysMicros) {

        static Plan draw(long seed) {
            SeededRandom random = new SeededRandom(seed);
            int nodes = 4 + random.nextInt(3);
            int most = 1 + random.nextInt(3);
            List<String> clusters = new ArrayList<>();
            for (int rank = 0; rank < nodes; rank++) {
                clusters.add(String.valueOf((char) ('A' + random.nextInt(most))));
            }
            int kills = random.nextInt(4) == 0 ? 2 : 1;
            int[] order = random.permutation(nodes - 1);
            List<Integer> victims = new ArrayList<>();
            List<Integer> delays = new ArrayList<>();
            for (int i = 0; i < kills; i++) {
                boolean rankZero = i == kills - 1 && random.nextInt(8) == 0;
                victims.add(rankZero ? 0 : 1 + order[i]);
                delays.add(random.nextInt(1000 * (i == 0 ? LATEST_KILL_MILLIS : LATEST_SECOND_KILL_MILLIS)));
            }
            return new Plan(seed, clusters, victims, delays);
        }

        List<Integer> survivors() {
            return IntStream.range(0, clusters.size())
                    .boxed()
                    .filter(rank -> !victims.contains(rank))
                    .toList();
        }
    }

    private final List<Long> lossMillis = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void survivorsGoOnWithRightResults() throws Exception {
        long first = SeededRuns.firstSeed();
        for (long seed = first; seed < first + RUNS; seed++) {
            Plan plan = Plan.draw(seed);
            String end;
            try {
                end = run(plan);
            } catch (AssertionError e) {
                end = "FAILED: " + e.getMessage();
                failures.add("to repeat: -Drobber.seed=" + seed + "\n" + plan + "\n" + e.getMessage());
            }
            System.out.println("seed " + seed + ", " + plan.clusters + ", killed " + plan.victims + ": " + end);
        }
        Collections.sort(lossMillis);
        if (!lossMillis.isEmpty()) {
            System.out.println(RUNS + " runs, " + failures.size() + " failed; losses were known after "
                    + lossMillis.get(lossMillis.size() / 2) + " ms (median), "
                    + lossMillis.get(lossMillis.size() - 1) + " ms (worst)");
        }
        assertThat(failures).isEmpty();
    }

    private String run(Plan plan) throws IOException, InterruptedException {
        List<NodeProcess> nodes = new ArrayList<>();
        try {
            String port = "0";
            for (int rank = 0; rank < plan.clusters.size(); rank++) {
                nodes.add(new NodeProcess(
                        KilledNode.class,
                        List.of(
                                String.valueOf(rank),
                                String.valueOf(plan.clusters.size()),
                                port,
                                plan.clusters.get(rank),
                                String.valueOf(plan.seed),
                                String.valueOf(plan.victims.size()))));
                if (rank == 0) {
                    port = nodes.get(0).await("port ", START_LIMIT).text().substring("port ".length());
                }
            }
            for (NodeProcess node : nodes) {
                Line unused = node.await("begun", START_LIMIT);
            }
            long killed = 0;
            for (int i = 0; i < plan.victims.size(); i++) {
                nodes.get(plan.survivors().get(0)).runFor(Duration.ofNanos(1000L * plan.delaysMicros.get(i)));
                killed = killed == 0 ? System.nanoTime() : killed;
                nodes.get(plan.victims.get(i)).kill();
            }
            for (int rank : plan.survivors()) {
                check(plan, rank, nodes.get(rank), killed);
            }
            Line last = nodes.get(plan.survivors().get(0)).line("left ");
            return last == null ? "ended without rank 0" : last.text();
        } finally {
            for (NodeProcess node : nodes) {
                node.close();
            }
        }
    }

    private void check(Plan plan, int rank, NodeProcess node, long killedNanos) throws InterruptedException {
        Integer exitCode = node.awaitEnd(END_LIMIT);
        String words = "rank " + rank + " said\n  " + node.lastWords();
        assertThat(exitCode).as(words).isEqualTo(0);
        Line lost = node.line("lost ");
        assertThat(lost).as(words).isNotNull();
        long millis = TimeUnit.NANOSECONDS.toMillis(lost.nanos() - killedNanos);
        lossMillis.add(millis);
        assertThat(millis).as(words).isLessThan(LOSS_LIMIT.toMillis());
        Set<String> possible = new TreeSet<>();
        for (int one : plan.victims) {
            possible.add("lost [" + one + "]");
            plan.victims.stream()
                    .filter(other -> other != one)
                    .forEach(other -> possible.add("lost [" + one + ", " + other + "]"));
        }
        assertThat(possible).as(words).contains(lost.text());
        if (!plan.victims.contains(0)) {
            Line left = node.line("left ");
            assertThat(left).as(words).isNotNull();
            assertThat(left.text()).as(words).startsWith("left " + plan.survivors() + " after");
        }
    }
}
