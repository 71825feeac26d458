package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class ScenarioFamilyTest {

    private static final ScenarioFamily FAMILY = ScenarioFamily.mixed();

    @Test
    void whatIsWrittenIsReadBack() {
        SeededRuns.run(300, random -> {
            Scenario drawn = FAMILY.draw(random.nextLong());
            assertThat(ScenarioReader.parse("drawn.json", ScenarioWriter.text(drawn)))
                    .isEqualTo(drawn);
        });
    }

    @Test
    void filesOfTheProjectAreWrittenAndReadBack() throws Exception {
        for (var file : ScenarioFiles.all()) {
            Scenario scenario = ScenarioReader.read(file);
            assertThat(scenario.name() + ".json").isEqualTo(file.getFileName().toString());
            assertThat(ScenarioReader.parse("written.json", ScenarioWriter.text(scenario)))
                    .isEqualTo(scenario);
        }
    }

    @Test
    void aSeedGivesOneScenario() {
        SeededRuns.run(20, random -> {
            long seed = random.nextLong();
            assertThat(FAMILY.draw(seed)).isEqualTo(FAMILY.draw(seed));
        });
        Scenario fixed = FAMILY.draw(7);
        // Pinned, because a seed in a bug report must mean the same scenario tomorrow.
        assertThat(fixed.clusters()).hasSize(2);
        assertThat(fixed.nodeCount()).isEqualTo(6);
    }

    @Test
    void everyClusterCanBeReachedAtEveryMoment() {
        SeededRuns.run(300, random -> {
            Scenario scenario = FAMILY.draw(random.nextLong());
            for (Phase phase : scenario.phases()) {
                assertThat(phase.links().values())
                        .allMatch(link -> link.bytesPerSecond() >= FAMILY.leastRate()
                                && link.bytesPerSecond() <= FAMILY.mostRate()
                                && link.delayNanos() <= FAMILY.mostDelayNanos()
                                && link.loss() <= FAMILY.mostLoss());
                assertThat(reached(scenario, phase)).hasSize(scenario.clusters().size());
            }
            assertThat(scenario.phases().get(scenario.phases().size() - 1).atNanos())
                    .isLessThanOrEqualTo(FAMILY.lastChangeNanos());
        });
    }

    @Test
    void coversWhatItPromises() {
        Set<String> seen = new HashSet<>();
        for (int seed = 0; seed < 300; seed++) {
            Scenario scenario = FAMILY.draw(seed);
            seen.add("clusters " + scenario.clusters().size());
            seen.add("phases " + (scenario.phases().size() - 1));
            for (ClusterSpec cluster : scenario.clusters()) {
                seen.add("nodes " + cluster.nodes());
                seen.add("nic " + cluster.nic());
                seen.add("lan " + Double.isInfinite(cluster.lan()));
                seen.add("access " + Double.isInfinite(cluster.accessUp()));
                seen.add("even cards " + (cluster.nodeUp().stream().distinct().count() == 1));
            }
        }
        assertThat(seen).hasSize(6 + 5 + 8 + 4 * 2);
    }

    private static Set<Integer> reached(Scenario scenario, Phase phase) {
        Set<Integer> reached = new HashSet<>();
        Deque<Integer> next = new ArrayDeque<>();
        next.add(scenario.root().cluster());
        while (!next.isEmpty()) {
            int from = next.remove();
            if (reached.add(from)) {
                phase.links().keySet().stream()
                        .filter(pair -> pair.from() == from)
                        .forEach(pair -> next.add(pair.to()));
            }
        }
        return reached;
    }
}
