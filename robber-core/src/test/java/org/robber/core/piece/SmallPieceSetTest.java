package org.robber.core.piece;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class SmallPieceSetTest {

    @Test
    void agreesWithATreeSet() {
        SeededRuns.run(100, random -> {
            SmallPieceSet tried = SmallPieceSet.NONE;
            TreeSet<Integer> expected = new TreeSet<>();
            for (int step = 0; step < 200; step++) {
                int piece = random.nextInt(20);
                if (random.nextInt(2) == 0) {
                    tried = tried.without(piece);
                    expected.remove(piece);
                } else {
                    tried = tried.with(piece);
                    expected.add(piece);
                }
                assertThat(tried.size()).isEqualTo(expected.size());
                assertThat(tried.isEmpty()).isEqualTo(expected.isEmpty());
                assertThat(tried.contains(piece)).isEqualTo(expected.contains(piece));
                assertThat(listed(tried)).containsExactlyElementsOf(expected);
            }
        });
    }

    @Test
    void allWithoutPiecesAreTheSame() {
        assertThat(SmallPieceSet.NONE.with(3).with(1).without(3).without(1).without(7))
                .isSameAs(SmallPieceSet.NONE);
    }

    private static List<Integer> listed(SmallPieceSet pieces) {
        List<Integer> listed = new ArrayList<>();
        pieces.forEach(listed::add);
        return listed;
    }
}
