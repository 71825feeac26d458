package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyTest {

    @Test
    void numbersClustersAsTheyAppear() {
        Topology topology = Topology.of(List.of("west", "east", "west", "east", "east"));
        assertThat(topology.size()).isEqualTo(5);
        assertThat(topology.clusterCount()).isEqualTo(2);
        assertThat(topology.clusterName(0)).isEqualTo("west");
        assertThat(topology.clusterSize(1)).isEqualTo(3);
        assertThat(topology.clusterOf(4)).isEqualTo(1);
        assertThat(topology.indexInCluster(4)).isEqualTo(2);
        assertThat(topology.member(1, 2)).isEqualTo(4);
        assertThat(topology.sameCluster(0, 2)).isTrue();
        assertThat(topology.sameCluster(0, 1)).isFalse();
        assertThat(topology.nodeName(3)).isEqualTo("east-1");
    }

    @Test
    void namesClustersOfGivenSizes() {
        Topology topology = Topology.ofSizes(2, 1, 3);
        assertThat(topology.size()).isEqualTo(6);
        assertThat(topology.nodeName(0)).isEqualTo("A-0");
        assertThat(topology.nodeName(2)).isEqualTo("B-0");
        assertThat(topology.nodeName(5)).isEqualTo("C-2");
    }

    @ParameterizedTest
    @CsvSource({"0, A", "25, Z", "26, AA", "51, AZ", "52, BA", "701, ZZ", "702, AAA"})
    void letters(int cluster, String name) {
        assertThat(Topology.letters(cluster)).isEqualTo(name);
    }

    @Test
    void refusesNoNodesTooManyAndEmptyClusters() {
        assertThatThrownBy(() -> Topology.of(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ofSizes()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ofSizes(2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.of(Collections.nCopies(Topology.MAX_NODES + 1, "A")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 100000");
    }

    @Test
    void eachNodeOfTheLargerOfTwoClustersHasAConnectionToTheOther() {
        Topology topology = Topology.ofSizes(1, 7, 3);
        assertThat(topology.linesBetween(0, 10)).isEqualTo(3);
        assertThat(topology.linesBetween(10, 1)).isEqualTo(7);
    }

    @Test
    void countsTheLinesIntoTheClusterThatHasMost() {
        assertThat(Topology.ofSizes(5).mostLinesIntoACluster()).isZero();
        assertThat(Topology.ofSizes(4, 4, 4, 4).mostLinesIntoACluster()).isEqualTo(12);
        assertThat(Topology.ofSizes(1, 7, 3).mostLinesIntoACluster())
                .as("7 from each of the others")
                .isEqualTo(14);
        assertThat(Topology.of(halfInOneCluster()).mostLinesIntoACluster())
                .as("2.5 thousand millions")
                .isEqualTo(Integer.MAX_VALUE);
    }

    private static List<String> halfInOneCluster() {
        return IntStream.range(0, Topology.MAX_NODES)
                .mapToObj(rank -> rank % 2 == 0 ? "large" : "small-" + rank)
                .toList();
    }
}
