package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineLoadsTest {
    private static final int FROM = 0;
    private static final int TO = 1;

    @Test
    void linesWithLoadShareTheDifference() {
        LineLoads lines = loads(1, 20, 10);
        assertThat(lines.surplus(FROM, TO)).isEqualTo(5);
        assertThat(lines.surplus(TO, FROM)).isZero();

        lines.move(5, FROM, TO);
        assertThat(lines.left(FROM)).isEqualTo(15);
        assertThat(lines.surplus(FROM, TO)).isZero();
    }

    @Test
    void aLineWithoutLoadCouldCarryAnything() {
        assertThat(loads(1, 20, 0).surplus(FROM, TO)).isEqualTo(20);
    }

    @Test
    void onlyAMultipleOfTheLoadCountsWithARatio() {
        assertThat(loads(4, 40, 10).surplus(FROM, TO)).isZero();
        assertThat(loads(4, 50, 10).surplus(FROM, TO)).isEqualTo(5);
    }

    @Test
    void piecesThatALineCarriesInAnyCaseStayThere() {
        LineLoads lines = loads(1, 2, 10);
        lines.addLoad(FROM, 30);
        assertThat(lines.surplus(FROM, TO)).isEqualTo(2);
    }

    private static LineLoads loads(int ratio, int from, int to) {
        LineLoads lines = new LineLoads(2, ratio);
        lines.setLeft(FROM, from);
        lines.setLeft(TO, to);
        return lines;
    }
}
