package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class BandwidthMapTest {
    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    @Test
    void linksGoByTheNamesOfClusters() {
        ClusterBandwidths network = BandwidthMap.builder()
                .link("B", "A", 5)
                .link("A", "B", 7)
                .link("A", "elsewhere", 1)
                .build()
                .of(Topology.of(List.of("A", "B")));
        assertThat(network.clusterCount()).isEqualTo(2);
        assertThat(network.rate(0, 1)).isEqualTo(7);
        assertThat(network.rate(1, 0)).isEqualTo(5);
        assertThat(network.up(0)).isEqualTo(NO_LIMIT);
    }

    @Test
    void aMissingPairIsNamed() {
        BandwidthMap map = BandwidthMap.builder()
                .source("links.json")
                .link("A", "B", 7)
                .link("B", "C", 0)
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.of(Topology.ofSizes(1, 1, 1)))
                .withMessage("links.json: there is no link A-C, B-A, C-A, C-B: give it a rate, or 0");
    }

    @Test
    void clustersOfOtherNamesAreNamedWithTheirSource() {
        BandwidthMap map = BandwidthMap.builder()
                .source("links.json")
                .link("A", "paris", 7)
                .link("paris", "A", 7)
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.of(Topology.ofSizes(1, 1, 1)))
                .withMessage(
                        "links.json: nothing about the job's clusters B, C, but about paris: give clusters the same"
                                + " names here and there");
        assertThat(map.of(Topology.of(List.of("A", "paris"))).name(1)).isEqualTo("paris");
    }

    @Test
    void aClusterSendsWhatItsAccessLineAndItsCardsAllow() {
        BandwidthMap map = BandwidthMap.builder()
                .link("A", "B", 1)
                .link("B", "A", 1)
                .cluster("A", 10, NO_LIMIT, List.of(3.0, 4.0), List.of())
                .cluster("B", 5, 2, List.of(3.0, 4.0, 9.0), List.of())
                .build();
        ClusterBandwidths network = map.of(Topology.ofSizes(2, 2));
        assertThat(network.up(0)).isEqualTo(7);
        assertThat(network.down(0)).isEqualTo(NO_LIMIT);
        assertThat(network.up(1)).isEqualTo(5);
        assertThat(network.down(1)).isEqualTo(2);
        assertThat(network.cardUp(0, 1)).isEqualTo(4);
        assertThat(network.cardDown(0, 1)).isEqualTo(NO_LIMIT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.of(Topology.ofSizes(3, 2)))
                .withMessage(
                        "the bandwidths: cards of 2 nodes of cluster A, which has 3: give each node's, or one for all");
    }

    @Test
    void furtherNodesHaveTheCardThatAllOthersHave() {
        BandwidthMap map = BandwidthMap.builder()
                .link("A", "B", 1)
                .link("B", "A", 1)
                .cluster("A", NO_LIMIT, NO_LIMIT, List.of(3.0, 3.0), List.of(NO_LIMIT))
                .build();
        ClusterBandwidths network = map.of(Topology.ofSizes(5, 1));
        assertThat(network.up(0)).isEqualTo(15);
        assertThat(network.down(0)).isEqualTo(NO_LIMIT);
    }

    @Test
    void whereNothingWasMeasuredAllLinksAreEqual() {
        ClusterBandwidths network = BandwidthMap.unknown().of(Topology.ofSizes(2, 1, 3));
        assertThat(network.rate(0, 2)).isEqualTo(1);
        assertThat(network.rate(2, 1)).isEqualTo(1);
        assertThat(network.down(2)).isEqualTo(NO_LIMIT);
    }

    @Test
    void equalMapsHaveEqualTexts() {
        BandwidthMap one =
                BandwidthMap.builder().link("A", "B", 1).link("B", "A", 2).build();
        BandwidthMap same =
                BandwidthMap.builder().link("B", "A", 2).link("A", "B", 1).build();
        BandwidthMap other =
                BandwidthMap.builder().link("A", "B", 2).link("B", "A", 1).build();
        assertThat(one.toString()).isEqualTo(same.toString()).isNotEqualTo(other.toString());
        assertThat(one.digest())
                .isEqualTo(same.digest())
                .isNotEqualTo(other.digest())
                .hasSize(16);
    }

    @Test
    void ratesAreNumbersFromZeroOn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BandwidthMap.builder().link("A", "B", -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BandwidthMap.builder().link("A", "B", Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BandwidthMap.builder().link("A", "A", 1));
    }
}
