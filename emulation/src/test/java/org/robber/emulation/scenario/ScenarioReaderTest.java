package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioReaderTest {

    private static final ClusterPair A_TO_D = new ClusterPair(0, 3);

    @Test
    void readsTheFastToSlowScenario() {
        Scenario scenario = ScenarioFiles.read("tc1_fast_to_slow");
        assertThat(scenario.origin()).isEqualTo(Origin.SOURCE);
        assertThat(scenario.root()).isEqualTo(new NodePlace(0, 0));
        assertThat(scenario.clusters()).extracting(ClusterSpec::name).containsExactly("A", "B", "C", "D");
        assertThat(scenario.nodeCount()).isEqualTo(64);
        assertThat(scenario.phases()).hasSize(2);
        Phase first = scenario.phases().get(0);
        assertThat(first.links()).hasSize(12);
        assertThat(first.links().get(A_TO_D)).isEqualTo(new LinkSpec(8e6, 10_000_000, 0));
        Phase second = scenario.phases().get(1);
        assertThat(second.atNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(second.links().get(A_TO_D)).isEqualTo(new LinkSpec(0.8e6, 10_000_000, 0));
        assertThat(second.links().get(new ClusterPair(0, 1))).isEqualTo(new LinkSpec(10e6, 10_000_000, 0));
    }

    @Test
    void readsMayhemWithAllItsPhases() {
        Scenario scenario = ScenarioFiles.read("tc1_mayhem");
        assertThat(scenario.phases()).hasSize(241);
        assertThat(scenario.phases().stream()
                        .filter(phase -> phase.atNanos() <= TimeUnit.SECONDS.toNanos(12))
                        .reduce((earlier, later) -> later)
                        .orElseThrow()
                        .links()
                        .get(A_TO_D)
                        .bytesPerSecond())
                .isEqualTo(3_194_600);
    }

    @Test
    void readsCardsOfSingleNodes() {
        ClusterSpec cluster =
                ScenarioFiles.read("tc2_large_slow_nodes").clusters().get(1);
        assertThat(cluster.nic()).isEqualTo(NicScope.WAN);
        assertThat(cluster.nodeUp().subList(0, 12)).containsOnly(12.5e6);
        assertThat(cluster.nodeDown().subList(12, 16)).containsOnly(0.1e6);
        assertThat(cluster.accessUp()).isInfinite();
    }

    @Test
    void fillsInWhatIsNotSaid() {
        Scenario scenario = ScenarioReader.parse(
                "f", "{'name':'n','root':'A/1','clusters':[{'name':'A','nodes':2}]}".replace('\'', '"'));
        assertThat(scenario.origin()).isEqualTo(Origin.RECONSTRUCTION);
        assertThat(scenario.description()).isEmpty();
        assertThat(scenario.phases()).hasSize(1);
        ClusterSpec cluster = scenario.clusters().get(0);
        assertThat(cluster.nic()).isEqualTo(NicScope.ALL);
        assertThat(cluster.nodeUp()).isEqualTo(Collections.nCopies(2, Double.POSITIVE_INFINITY));
        assertThat(cluster.lan()).isInfinite();
    }

    @Test
    void takesAnotherNumberOfNodes() {
        Scenario sixteen = ScenarioFiles.read("tc2_large_slow_nodes");
        Scenario seventeen = sixteen.withNodes(17);
        assertThat(seventeen.nodeCount()).isEqualTo(6 * 17);
        assertThat(seventeen.clusters().get(2).nodeUp().subList(0, 16))
                .isEqualTo(sixteen.clusters().get(2).nodeUp());
        assertThat(seventeen.clusters().get(2).nodeUp().get(16)).isEqualTo(12.5e6);
        assertThat(sixteen.withNodes(4).clusters().get(0).nodeUp()).containsOnly(12.5e6);
        assertThat(seventeen.withNodes(16)).isEqualTo(sixteen);
        assertThat(sixteen.phases()).isEqualTo(seventeen.phases());
    }

    @Test
    void ranksCountThroughTheClusters() {
        Scenario scenario = ScenarioFiles.read("tc3_local_k4");
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            assertThat(scenario.rankOf(scenario.placeOf(rank))).isEqualTo(rank);
        }
        assertThat(scenario.nodeName(scenario.placeOf(5))).isEqualTo("B/1");
        assertThat(scenario.pairName(A_TO_D)).isEqualTo("A-D");
    }

    @Test
    void namesFilesThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path latin1 = Files.write(folder.resolve("latin1.json"), new byte[] {'"', (byte) 0xE9, '"'});
        for (Path file : new Path[] {folder, folder.resolve("none.json"), latin1}) {
            assertThatExceptionOfType(ScenarioException.class)
                    .isThrownBy(() -> ScenarioReader.read(file))
                    .withMessageStartingWith(file + ": ");
        }
    }

    @Test
    void skipsAByteOrderMark(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("bom.json"), "\uFEFF" + Faults.GOOD);
        assertThat(ScenarioReader.read(file)).isEqualTo(ScenarioReader.parse("good.json", Faults.GOOD));
    }

    @Test
    void refusesFilesThatAreTooLarge(@TempDir Path folder) throws IOException {
        Path huge = folder.resolve("huge.json");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(5L << 30);
        }
        for (Path file : new Path[] {huge, Path.of("/dev/zero")}) {
            assertThatExceptionOfType(ScenarioException.class)
                    .isThrownBy(() -> ScenarioReader.read(file))
                    .withMessage(file + ": larger than 16 MiB, the most that is read");
        }
    }
}
