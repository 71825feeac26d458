package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.wire.MessageCodec;

class FrameWriterTest {
    private final MessageCodec codec = new MessageCodec(new PieceLayout(100, 10), 0);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private FrameWriter writer = new FrameWriter(channel);

    @BeforeEach
    void begin() {
        channel.freezeTime();
        writer = new FrameWriter(channel);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** How many frames have left so far. */
    private int left() {
        return channel.outboundMessages().size();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void whatIsNotUrgentLeavesAtOnceOnALineThatWasIdle() {
        writer.writeUnhurried(new Message.Have(1), codec);
        writer.flush();

        assertThat(left()).isEqualTo(1);
    }

    @Test
    void elseItWaitsForCompanyAndNotLong() {
        writer.write(new Message.Request(0), codec);
        writer.flush();
        pass(3);
        for (int piece = 1; piece < 4; piece++) {
            writer.writeUnhurried(new Message.Have(piece), codec);
            writer.flush();
        }
        assertThat(left()).isEqualTo(1);

        pass(6);
        assertThat(left()).isEqualTo(1);
        pass(1);
        assertThat(left()).as("10 ms after the last that left").isEqualTo(4);
    }

    @Test
    void whatIsUrgentTakesItAlong() {
        writer.write(new Message.Request(0), codec);
        writer.flush();
        writer.writeUnhurried(new Message.Have(1), codec);
        writer.flush();
        writer.write(new Message.Request(2), codec);
        writer.flush();
        assertThat(left()).isEqualTo(3);

        pass(10);
        writer.writeUnhurried(new Message.Have(3), codec);
        writer.flush();
        assertThat(left()).isEqualTo(4);
        assertThat(writer.takeControlBytes()).isEqualTo(4 * 9);
    }
}
