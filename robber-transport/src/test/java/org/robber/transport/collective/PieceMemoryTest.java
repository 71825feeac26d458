package org.robber.transport.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PieceMemoryTest {
    private final PieceMemory memory = new PieceMemory();

    @Test
    void memoryIsUsedAgain() {
        ByteBuffer first = memory.take(1000);
        ByteBuffer second = memory.take(1000);
        assertThat(second).isNotSameAs(first);
        memory.giveBack(first.position(10).limit(20));
        ByteBuffer again = memory.take(1000);
        assertThat(again).isSameAs(first);
        assertThat(again.remaining()).isEqualTo(1000);
        assertThat(again.isDirect()).isTrue();
    }

    @Test
    void ofPiecesOfAnotherSizeNothingIsKept() {
        ByteBuffer small = memory.take(1000);
        memory.giveBack(small);
        ByteBuffer large = memory.take(2000);
        assertThat(large.remaining()).isEqualTo(2000);
        memory.giveBack(large);
        memory.giveBack(small);
        assertThat(memory.take(2000)).isSameAs(large);
        assertThat(memory.take(1000)).isNotSameAs(small);
    }

    @Test
    void onlySoMuchIsKept() {
        int bytes = PieceMemory.MOST_KEPT_BYTES / 2;
        ByteBuffer[] taken = {memory.take(bytes), memory.take(bytes), memory.take(bytes)};
        for (ByteBuffer each : taken) {
            memory.giveBack(each);
        }
        assertThat(new ByteBuffer[] {memory.take(bytes), memory.take(bytes)})
                .containsExactlyInAnyOrder(taken[0], taken[1]);
        assertThat(memory.take(bytes)).isNotSameAs(taken[2]);
    }
}
