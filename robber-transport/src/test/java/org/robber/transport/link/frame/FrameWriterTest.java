package org.robber.transport.link.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.MessageCodec;

class FrameWriterTest {
    /** Of the messages that name a piece and nothing else. */
    private static final int FRAME_BYTES = 9;

    private final MessageCodec codec = new MessageCodec(new PieceLayout(100, 10), 0);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ReadGate gate = new ReadGate(channel.eventLoop(), () -> {});
    private FrameWriter writer = new FrameWriter(channel, gate);

    @BeforeEach
    void begin() {
        channel.freezeTime();
        writer = new FrameWriter(channel, gate);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** How many frames have left so far; all are of the same length. */
    private int left() {
        int bytes = 0;
        for (Object message : channel.outboundMessages()) {
            bytes += ((ByteBuf) message).readableBytes();
        }
        return bytes / FRAME_BYTES;
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
        assertThat(writer.takeMessages()).isEqualTo(new MessagesSent(4, 4 * FRAME_BYTES));
        assertThat(writer.takeMessages()).isEqualTo(MessagesSent.NONE);
    }

    @Test
    void whatLeavesTogetherSharesABufferAsLongAsThereIsRoom() {
        for (int piece = 0; piece < 100; piece++) {
            writer.write(new Message.Request(piece % 10), codec);
        }
        writer.flush();

        assertThat(left()).isEqualTo(100);
        assertThat(channel.outboundMessages()).hasSize(2);
    }

    @Test
    void aBlockLeavesBehindAllThatWasWrittenBeforeIt() {
        ByteBuf block = Unpooled.copiedBuffer(new byte[] {1, 2, 3});
        writer.write(new Message.Request(4), codec);
        writer.writeBlock(new Message.PieceBlock(5, 0, 3, 0, new byte[0]), block, codec);
        writer.write(new Message.Request(6), codec);
        writer.flush();

        assertThat(channel.outboundMessages()).hasSize(3);
        ByteBuf before = channel.readOutbound();
        assertThat(before.getByte(FrameHead.BYTES - 1)).isEqualTo((byte) MessageType.REQUEST.code());
        assertThat(before.getByte(FRAME_BYTES + FrameHead.BYTES - 1)).isEqualTo((byte) MessageType.PIECE.code());
        before.release();
        ByteBuf bytes = channel.readOutbound();
        assertThat(bytes).isSameAs(block);
        bytes.release();
        assertThat(left()).isEqualTo(1);
    }

    @Test
    void whatIsNotSentWhenTheConnectionEndsIsGivenBack() {
        writer.write(new Message.Request(0), codec);
        writer.flush();
        writer.writeUnhurried(new Message.Have(1), codec);
        writer.close();
        pass(10);

        assertThat(left()).isEqualTo(1);
    }
}
