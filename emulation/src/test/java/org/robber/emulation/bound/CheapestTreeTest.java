package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class CheapestTreeTest {

    @Test
    void thereAreAsManyTreesAsCayleySays() {
        assertThat(AllTrees.parents(4)).hasSize(16);
        assertThat(AllTrees.parents(5)).hasSize(125);
    }

    @Test
    void noTreeIsCheaper() {
        SeededRuns.run(300, random -> {
            int nodes = 2 + random.nextInt(4);
            int[] from = new int[nodes * nodes];
            int[] to = new int[nodes * nodes];
            double[] costs = new double[nodes * nodes];
            for (int arc = 0; arc < costs.length; arc++) {
                from[arc] = arc / nodes;
                to[arc] = arc % nodes;
                costs[arc] = random.nextBoolean() ? random.nextInt(5) : random.nextDouble();
            }
            double least = AllTrees.parents(nodes).stream()
                    .mapToDouble(parent -> {
                        double cost = 0;
                        for (int node = 1; node < nodes; node++) {
                            cost += costs[parent[node] * nodes + node];
                        }
                        return cost;
                    })
                    .min()
                    .orElseThrow();
            int[] tree = CheapestTree.find(nodes, 0, from, to, costs);
            assertThat(Arrays.stream(tree).mapToDouble(arc -> costs[arc]).sum()).isCloseTo(least, within(1e-9));
            assertThat(Arrays.stream(tree).map(arc -> to[arc]).sorted().toArray())
                    .isEqualTo(IntStream.range(1, nodes).toArray());
        });
    }

    @Test
    void saysWhenANodeCannotBeReached() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheapestTree.find(3, 0, new int[] {0, 2}, new int[] {1, 1}, new double[] {1, 1}))
                .withMessageContaining("node 2");
    }
}
