package org.robber.transport.link.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a connection is read, and when not. */
class ReadGateTest {
    private static final int LIMIT = ReadGate.MIN_MAX_UNSENT_BYTES;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private int opened;
    private final ReadGate gate = new ReadGate(channel.eventLoop(), () -> opened++);

    @AfterEach
    void close() {
        channel.close();
    }

    @Test
    void messagesThatWaitForTheStrategyCloseItUntilHalfOfThemAreHandled() {
        gate.posted(ReadGate.MAX_UNHANDLED_BYTES);
        assertThat(gate.mayRead()).isTrue();
        gate.posted(1);
        assertThat(gate.mayRead()).isFalse();
        assertThat(gate.awaitsPeer()).isFalse();

        gate.handled(ReadGate.MAX_UNHANDLED_BYTES / 2);
        channel.runPendingTasks();
        assertThat(opened).isZero();
        gate.handled(1);
        channel.runPendingTasks();
        assertThat(opened).isEqualTo(1);
        assertThat(gate.mayRead()).isTrue();
    }

    @Test
    void messagesThatHaveNotLeftCloseItUntilHalfOfThemHave() {
        gate.written(LIMIT + 1);
        assertThat(gate.mayRead()).isFalse();
        assertThat(gate.awaitsPeer()).isTrue();

        gate.left(LIMIT / 2);
        assertThat(gate.mayRead()).isFalse();
        gate.left(1);
        assertThat(opened).isEqualTo(1);
        assertThat(gate.mayRead()).isTrue();
    }

    @Test
    void itTakesBothToOpenIt() {
        gate.written(LIMIT + 1);
        gate.posted(ReadGate.MAX_UNHANDLED_BYTES + 1);
        assertThat(gate.mayRead()).isFalse();
        gate.left(LIMIT + 1);
        assertThat(opened).isZero();

        gate.handled(ReadGate.MAX_UNHANDLED_BYTES + 1);
        channel.runPendingTasks();
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void longMessagesRaiseTheLimit() {
        gate.begin(LIMIT);
        gate.written(4 * LIMIT);
        assertThat(gate.mayRead()).isTrue();
        gate.written(1);
        assertThat(gate.mayRead()).isFalse();
    }

    @Test
    void whereNothingLeavesALittleMoreIsReadEachTime() {
        gate.written(LIMIT + 1);
        assertThat(gate.mayRead()).isFalse();
        gate.widen();
        assertThat(opened).isEqualTo(1);
        assertThat(gate.mayRead()).isTrue();

        gate.written(LIMIT / 4 + 1);
        assertThat(gate.mayRead()).isFalse();
        gate.left(LIMIT);
        gate.written(LIMIT);
        assertThat(gate.mayRead()).as("the limit is the first one again").isFalse();
    }
}
