package org.robber.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReusedMemoryTest {
    private final List<ByteBuffer> freed = new ArrayList<>();
    private final ReusedMemory<ByteBuffer> memory =
            new ReusedMemory<>(4000, ByteBuffer::allocate, ByteBuffer::capacity, freed::add);

    private List<ByteBuffer> take(int count, int bytes) {
        return Stream.generate(() -> memory.take(bytes)).limit(count).toList();
    }

    @Test
    void memoryIsUsedAgain() {
        List<ByteBuffer> taken = take(2, 1000);
        assertThat(taken.get(0)).isNotSameAs(taken.get(1));
        memory.giveBack(taken.get(0));
        assertThat(memory.take(1000)).isSameAs(taken.get(0));
        assertThat(memory.take(1000)).isNotSameAs(taken.get(0));
    }

    @Test
    void eachSizeHasItsOwn() {
        ByteBuffer small = memory.take(1000);
        ByteBuffer large = memory.take(2000);
        memory.giveBack(small);
        memory.giveBack(large);
        assertThat(memory.take(1000)).isSameAs(small);
        assertThat(memory.take(2000)).isSameAs(large);
    }

    @Test
    void onlySoMuchIsKept() {
        List<ByteBuffer> taken = take(3, 2000);
        taken.forEach(memory::giveBack);
        assertThat(freed).hasSize(1).first().isSameAs(taken.get(2));
        ByteBuffer tooLarge = memory.take(5000);
        memory.giveBack(tooLarge);
        assertThat(freed).last().isSameAs(tooLarge);
    }

    @Test
    void theSizeThatIsUsedNowReplacesOthers() {
        List<ByteBuffer> before = take(4, 1000);
        List<ByteBuffer> now = take(2, 2000);
        before.forEach(memory::giveBack);
        memory.giveBack(now.get(0));
        assertThat(freed).hasSize(2);
        memory.giveBack(now.get(1));
        assertThat(freed).hasSize(4).allMatch(each -> each.capacity() == 1000);
        assertThat(memory.take(2000).capacity()).isEqualTo(2000);
    }

    @Test
    void whatIsMadeTakesThePlaceOfWhatIsKept() {
        take(4, 1000).forEach(memory::giveBack);
        ByteBuffer unused = memory.take(1500);
        assertThat(freed).hasSize(2);
        memory.freeAll();
        assertThat(freed).hasSize(4);
    }
}
