package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecycledBuffersTest {
    private final RecycledBuffers buffers = new RecycledBuffers();

    @Test
    void aBufferIsUsedAgain() {
        ByteBuf first = buffers.take(1000);
        ByteBuf second = buffers.take(1000);
        assertThat(second).isNotSameAs(first);
        buffers.giveBack(first.writeZero(20));
        ByteBuf again = buffers.take(1000);
        assertThat(again).isSameAs(first);
        assertThat(again.writableBytes()).isEqualTo(1000);
        assertThat(again.isDirect()).isTrue();
        again.release();
        second.release();
    }

    @Test
    void eachSizeHasItsOwn() {
        ByteBuf small = buffers.take(1000);
        ByteBuf large = buffers.take(2000);
        buffers.giveBack(small);
        buffers.giveBack(large);
        assertThat(buffers.take(1000)).isSameAs(small);
        assertThat(buffers.take(2000)).isSameAs(large);
        small.release();
        large.release();
    }

    @Test
    void onlySoMuchIsKept() {
        int bytes = RecycledBuffers.MOST_KEPT_BYTES / 2;
        List<ByteBuf> taken =
                Stream.generate(() -> buffers.take(bytes)).limit(3).toList();
        taken.forEach(buffers::giveBack);
        assertThat(taken).extracting(ByteBuf::refCnt).containsExactly(1, 1, 0);
        assertThat(List.of(buffers.take(bytes), buffers.take(bytes)))
                .containsExactlyInAnyOrder(taken.get(0), taken.get(1));
        taken.subList(0, 2).forEach(ByteBuf::release);
    }

    @Test
    void theSizeThatIsUsedNowReplacesOthers() {
        int half = RecycledBuffers.MOST_KEPT_BYTES / 2;
        List<ByteBuf> before =
                Stream.generate(() -> buffers.take(half / 2)).limit(4).toList();
        List<ByteBuf> now = Stream.generate(() -> buffers.take(half)).limit(2).toList();
        before.forEach(buffers::giveBack);
        buffers.giveBack(now.get(0));
        assertThat(before).extracting(ByteBuf::refCnt).containsExactly(1, 1, 0, 0);
        buffers.giveBack(now.get(1));
        assertThat(before).extracting(ByteBuf::refCnt).containsOnly(0);
        assertThat(now).extracting(ByteBuf::refCnt).containsOnly(1);
        now.forEach(ByteBuf::release);
    }
}
