package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class MaxFlowTest {

    @Test
    void isTheMinimumOverAllCuts() {
        SeededRuns.run(500, random -> {
            int nodes = 2 + random.nextInt(5);
            double[][] capacity = capacities(nodes, random);
            MaxFlow flow = network(capacity);
            double least = Double.POSITIVE_INFINITY;
            for (int side = 0; side < 1 << (nodes - 2); side++) {
                least = Math.min(least, cut(capacity, BitSet.valueOf(new long[] {1L | (long) side << 2})));
            }
            assertThat(flow.to(1)).isCloseTo(least, within(1e-9));
            assertThat(cut(capacity, flow.smallestSourceSide())).isCloseTo(least, within(1e-9));
            assertThat(cut(capacity, flow.largestSourceSide(1))).isCloseTo(least, within(1e-9));
            assertThat(flow.to(1, 2)).isCloseTo(Math.min(least, 2), within(1e-9));
        });
    }

    @Test
    void isInfiniteAlongAPathWithoutLimit() {
        MaxFlow flow = new MaxFlow(3, 0);
        flow.addArc(0, 1, Double.POSITIVE_INFINITY);
        int second = flow.addArc(1, 2, Double.POSITIVE_INFINITY);
        assertThat(flow.to(2)).isInfinite();
        assertThat(flow.to(2, 5)).isEqualTo(5);
        flow.setCapacity(second, 3);
        assertThat(flow.to(2)).isEqualTo(3);
    }

    @Test
    void followsLongPaths() {
        int nodes = 1_000_000;
        MaxFlow flow = new MaxFlow(nodes, 0);
        for (int node = 1; node < nodes; node++) {
            flow.addArc(node - 1, node, 3);
        }
        assertThat(flow.to(nodes - 1)).isEqualTo(3);
    }

    private static double[][] capacities(int nodes, SeededRandom random) {
        double[][] capacity = new double[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                if (from != to && random.nextInt(3) > 0) {
                    capacity[from][to] = random.nextBoolean() ? random.nextInt(4) : random.nextDouble();
                }
            }
        }
        return capacity;
    }

    private static MaxFlow network(double[][] capacity) {
        MaxFlow flow = new MaxFlow(capacity.length, 0);
        for (int from = 0; from < capacity.length; from++) {
            for (int to = 0; to < capacity.length; to++) {
                if (from != to) {
                    flow.addArc(from, to, capacity[from][to]);
                }
            }
        }
        return flow;
    }

    private static double cut(double[][] capacity, BitSet side) {
        double sum = 0;
        for (int from = 0; from < capacity.length; from++) {
            for (int to = 0; to < capacity.length; to++) {
                sum += side.get(from) && !side.get(to) ? capacity[from][to] : 0;
            }
        }
        return sum;
    }
}
