package org.robber.bench.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedCallTest {
    @Test
    void onlyTheCallIsTimed() {
        CheckedCall call = CheckedCall.unchecked(() -> {});
        assertThat(call.nanos(() -> pause(200))).isBetween(0L, 100_000_000L);
        assertThat(CheckedCall.unchecked(() -> pause(20)).nanos(() -> {})).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void theResultIsSpoiledBeforeOthersMayBegin() {
        List<String> order = new ArrayList<>();
        CheckedCall call = new CheckedCall(() -> order.add("spoil"), () -> order.add("call"), () -> order.add("check"));
        assertThat(call.nanos(() -> order.add("barrier"))).isNotNegative();
        assertThat(order).containsExactly("spoil", "barrier", "call", "check");
    }

    @Test
    void callsThatBringNothingFailAfterOneThatBroughtAll() {
        ByteBuffer bytes = ByteBuffer.allocate(3 * 256);
        boolean[] brings = {true};
        CheckedCall call = CheckedCall.of(
                () -> {
                    for (int from = 0; brings[0] && from < 3; from++) {
                        CheckedParts.fill(bytes.slice(from * 256, 256), from, 2);
                    }
                },
                new CheckedParts(bytes, 3, 2));
        assertThat(call.nanos(() -> {})).isNotNegative();
        brings[0] = false;
        assertThatThrownBy(() -> call.nanos(() -> {})).hasMessage("wrong data");
    }

    @Test
    void partsOfOthersAreWrong() {
        ByteBuffer part = ByteBuffer.allocate(256);
        CheckedParts.fill(part, 0, 1);
        assertThat(new CheckedParts(part, 1, 1).isRight()).isTrue();
        assertThat(new CheckedParts(part, 1, 2).isRight()).isFalse();
        CheckedParts.fill(part, 1, 1);
        assertThat(new CheckedParts(part, 1, 1).isRight()).isFalse();
    }

    @Test
    void vectorsAreSpoiled() {
        DoubleBuffer vector = DoubleBuffer.allocate(2);
        vector.put(1, 5);
        CheckedCall call = CheckedCall.of(() -> {}, vector, 5);
        assertThatThrownBy(() -> call.nanos(() -> {})).hasMessage("wrong data");
    }

    @Test
    void readersOfAStreamCompareMarks() {
        long mebibyte = 1 << 20;
        ByteBuffer read = ByteBuffer.allocate(10);
        read.put(4, (byte) 3);
        StreamCase.check(read, 10, mebibyte - 4, 4 * mebibyte);
        StreamCase.check(read, 4, mebibyte - 4, 9 * mebibyte);
        assertThatThrownBy(() -> StreamCase.check(read, 10, mebibyte - 4, 5 * mebibyte))
                .hasMessage("wrong data at byte 1048576 of a stream");
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
