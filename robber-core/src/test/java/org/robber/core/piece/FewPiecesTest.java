package org.robber.core.piece;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class FewPiecesTest {

    @Test
    void agreesWithATreeSet() {
        SeededRuns.run(100, random -> {
            FewPieces tried = new FewPieces();
            TreeSet<Integer> expected = new TreeSet<>();
            for (int step = 0; step < 200; step++) {
                int piece = random.nextInt(20);
                switch (random.nextInt(20)) {
                    case 0 -> {
                        tried.clear();
                        expected.clear();
                    }
                    case 1, 2, 3, 4, 5, 6, 7 -> assertThat(tried.remove(piece)).isEqualTo(expected.remove(piece));
                    default -> {
                        tried.add(piece);
                        expected.add(piece);
                    }
                }
                assertThat(tried.isEmpty()).isEqualTo(expected.isEmpty());
                assertThat(tried.contains(piece)).isEqualTo(expected.contains(piece));
                assertThat(listed(tried)).containsExactlyElementsOf(expected);
            }
        });
    }

    @Test
    void whatIsRemovedWhileTheyAreGoneThroughIsStillSeen() {
        FewPieces pieces = new FewPieces();
        pieces.add(3);
        pieces.add(1);
        List<Integer> seen = new ArrayList<>();
        pieces.forEach(piece -> {
            seen.add(piece);
            pieces.remove(1);
            pieces.remove(3);
        });
        assertThat(seen).containsExactly(1, 3);
        assertThat(pieces.isEmpty()).isTrue();
    }

    private static List<Integer> listed(FewPieces pieces) {
        List<Integer> listed = new ArrayList<>();
        pieces.forEach(listed::add);
        return listed;
    }
}
