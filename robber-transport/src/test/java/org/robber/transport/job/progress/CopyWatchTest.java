package org.robber.transport.job.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.wire.WireLimits;
import org.robber.transport.job.progress.CopyWatch.Starved;

class CopyWatchTest {
    private final CopyWatch watch = new CopyWatch(List.of(0, 1, 2), DataPlacement.ofRoot(0, 100));

    private static Starved starved(int rank, int from, int to) {
        Starved said = new Starved(rank, "multicast 0", PieceSet.range(100, from, to));
        Starved heard = Starved.decode(rank, said.encode());
        assertThat(heard).isNotNull();
        assertThat(heard.phase()).isEqualTo("multicast 0");
        return heard;
    }

    @Test
    void whatEverybodyLacksWhoIsLeftIsGone() {
        watch.lost(1);
        watch.starved(starved(0, 10, 20));
        assertThat(watch.gone()).isNull();
        watch.starved(starved(2, 15, 30));

        assertThat(watch.gone()).isEqualTo("5 of 100 pieces (15-19)");
        assertThat(watch.lost()).containsExactly(1);
    }

    @Test
    void nothingIsGoneThatOneNodeHas() {
        watch.lost(1);
        watch.starved(starved(0, 10, 20));
        watch.progressed(2, true);

        assertThat(watch.gone()).isNull();
    }

    @Test
    void whoGetsMoreDoesNotStarveAnyMore() {
        watch.lost(1);
        watch.starved(starved(0, 10, 20));
        watch.starved(starved(2, 10, 20));
        watch.progressed(0, false);

        assertThat(watch.gone()).isNull();
    }

    @Test
    void theReportOfAnyNumberOfPiecesHasRoomInAMessage() {
        byte[] said = new Starved(0, "multicast 0", PieceSet.full(PieceLayout.MAX_PIECES)).encode();
        assertThat(said).hasSizeLessThan(WireLimits.MAX_PAYLOAD_BYTES);
        Starved heard = Starved.decode(0, said);
        assertThat(heard).isNotNull();
        assertThat(heard.pieces().capacity()).isEqualTo(PieceLayout.MAX_PIECES);
        assertThat(heard.pieces().size()).isBetween(1_000_000, PieceLayout.MAX_PIECES);
    }

    @Test
    void whatIsNoSuchMessageIsNotHeard() {
        assertThat(Starved.decode(0, new byte[0])).isNull();
        assertThat(Starved.decode(0, new byte[] {0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 9, 1}))
                .isNull();
        watch.lost(1);
        watch.starved(new Starved(0, "multicast 0", PieceSet.full(7)));
        watch.starved(new Starved(77, "multicast 0", PieceSet.full(100)));

        assertThat(watch.gone()).isNull();
    }
}
