package org.robber.core.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.robber.core.piece.PieceMaps.draw;
import static org.robber.core.piece.PieceMaps.parse;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.random.SeededRandom;

class PieceSetTest {

    @Test
    void drawingsAreSets() {
        assertThat(draw(parse("##..#"))).isEqualTo("##..#");
        assertThat(parse("#. .#")).isEqualTo(parse("#..#"));
        assertThat(parse("")).isEqualTo(PieceSet.empty(0));
    }

    @Test
    void newSetsLeaveTheirSourcesAlone() {
        PieceSet a = parse("##..");
        PieceSet b = parse(".##.");
        a.copy().add(3);
        a.and(b).add(3);
        a.andNot(b).add(3);
        assertThat(draw(a)).isEqualTo("##..");
        assertThat(draw(b)).isEqualTo(".##.");
    }

    @ParameterizedTest
    @CsvSource({"....., none of 5", "#...., 0 of 5", "##.##, '0-1,3-4 of 5'", "#####, 0-4 of 5", "'', none of 0"})
    void printsRanges(String drawing, String text) {
        assertThat(parse(drawing)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 129, 1000})
    void fullSetsEndAtTheirCapacity(int capacity) {
        PieceSet full = PieceSet.full(capacity);
        assertThat(full.size()).isEqualTo(capacity);
        assertThat(full.isFull()).isTrue();
        assertThat(full.isEmpty()).isEqualTo(capacity == 0);
        assertThat(full.nextMissingFrom(0)).isEqualTo(capacity);
        assertThat(full.nextFrom(capacity)).isEqualTo(-1);
        assertThat(PieceSet.empty(capacity).first()).isEqualTo(-1);
        assertThat(PieceSet.ofWords(capacity, wordsOf(full))).isEqualTo(full);
    }

    @Test
    void holdsAsManyPiecesAsThereCanBe() {
        PieceSet set = PieceSet.full(PieceLayout.MAX_PIECES);
        assertThat(set.size()).isEqualTo(PieceLayout.MAX_PIECES);
        assertThat(set.remove(PieceLayout.MAX_PIECES - 1)).isTrue();
        assertThat(set.nextMissingFrom(0)).isEqualTo(PieceLayout.MAX_PIECES - 1);
        assertThatThrownBy(() -> PieceSet.empty(PieceLayout.MAX_PIECES + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void drawsEachPieceEquallyOften() {
        PieceSet set = parse("#.##...#");
        set = widen(set, 300);
        set.addRange(290, 300);
        PieceSet other = PieceSet.full(300);
        other.remove(0);
        int[] seenCommon = new int[300];
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 13_000; i++) {
            seenCommon[set.randomCommon(other, random)]++;
        }
        for (int piece = 0; piece < 300; piece++) {
            boolean common = set.contains(piece) && piece > 0;
            assertThat(seenCommon[piece]).isBetween(common ? 820 : 0, common ? 1180 : 0);
        }
    }

    @Test
    void nothingCanBeDrawnFromNothing() {
        SeededRandom random = new SeededRandom(1);
        assertThat(parse("...").randomCommon(parse("###"), random)).isEqualTo(-1);
        assertThat(parse("#.#").randomCommon(parse(".#."), random)).isEqualTo(-1);
        assertThat(random.nextLong()).as("no number was used up").isEqualTo(new SeededRandom(1).nextLong());
    }

    @Test
    void aSliceHasThePiecesOfTheseNumbers() {
        PieceSet set = parse("#.##.#");
        assertThat(draw(set.slice(1, 3))).isEqualTo("..##..");
        assertThat(draw(set.slice(0, 4))).isEqualTo("#.##.#");
        assertThat(draw(set.slice(2, 2))).isEqualTo("......");
        assertThat(draw(set)).as("unchanged").isEqualTo("#.##.#");
        PieceSet large = PieceSet.range(20_000, 100, 19_900);
        assertThat(large.slice(5_000, 15_000)).isEqualTo(PieceSet.range(20_000, 5_100, 15_100));
    }

    @Test
    void equalSetsAreOfOneCapacity() {
        assertThat(parse("#.")).isNotEqualTo(parse("#..")).isNotEqualTo(parse(".#"));
        assertThat(parse("#.")).isEqualTo(parse("#.")).hasSameHashCodeAs(parse("#."));
    }

    @Test
    void refusesPiecesOutsideAndOtherCapacities() {
        PieceSet set = PieceSet.empty(70);
        assertThatThrownBy(() -> set.add(70)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> set.contains(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> set.addRange(3, 71)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> set.addRange(4, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> set.nextFrom(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set.takeFirst(-1)).isInstanceOf(IllegalArgumentException.class);
        PieceSet other = PieceSet.empty(71);
        assertThatThrownBy(() -> set.addAll(other)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PieceSet.ofWords(70, new long[] {0, 1L << 6}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PieceSet.ofWords(70, new long[1])).isInstanceOf(IllegalArgumentException.class);
    }

    /** As bitmaps these sets would take 40 GB. */
    @Test
    void fewPiecesTakeLittleMemory() {
        PieceSet all = PieceSet.full(PieceLayout.MAX_PIECES);
        List<PieceSet> sets = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int first = i * 800;
            PieceSet set = PieceSet.range(PieceLayout.MAX_PIECES, first, first + 3);
            set.retainAll(all);
            sets.add(set.copy());
        }
        assertThat(sets).allMatch(set -> set.size() == 3);
    }

    private static PieceSet widen(PieceSet set, int capacity) {
        PieceSet wide = PieceSet.empty(capacity);
        set.forEach(wide::add);
        return wide;
    }

    private static long[] wordsOf(PieceSet set) {
        long[] words = new long[set.wordCount()];
        for (int i = 0; i < words.length; i++) {
            words[i] = set.word(i);
        }
        return words;
    }
}
