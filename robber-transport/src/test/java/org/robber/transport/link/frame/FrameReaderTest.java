package org.robber.transport.link.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

class FrameReaderTest {
    private static final int BLOCK_BYTES = 5000;

    private final MessageCodec codec = new MessageCodec(new PieceLayout(100_000, 10_000), 16);
    private final RecordingSink sink = new RecordingSink();
    private final FrameReader reader = new FrameReader(sink);
    private final EmbeddedChannel channel = new EmbeddedChannel(reader);

    private final class RecordingSink implements FrameSink {
        private final List<Object> log = new ArrayList<>();
        private final ByteBuf bytes = Unpooled.directBuffer(BLOCK_BYTES, BLOCK_BYTES);
        private boolean noPlace;
        private boolean full;
        private boolean unwanted;
        private @Nullable OutOfMemoryError failure;
        private @Nullable BlockReader reader;

        BlockReader reader() {
            return Objects.requireNonNull(reader);
        }

        @Override
        public MessageCodec codec() {
            return codec;
        }

        @Override
        public void received(Message message) {
            log.add(message);
        }

        @Override
        public BlockPlace placeFor(PieceBlock block, BlockReader asking) {
            reader = asking;
            if (failure != null) {
                throw failure;
            }
            if (noPlace) {
                return BlockPlace.WAIT;
            }
            return unwanted ? BlockPlace.DISCARD : BlockPlace.in(bytes.clear());
        }

        @Override
        public void blockReceived(PieceBlock block) {
            byte[] content = new byte[bytes.readableBytes()];
            bytes.getBytes(0, content);
            log.add(ByteBuffer.wrap(content));
        }

        @Override
        public boolean mayRead() {
            return !full;
        }

        @Override
        public void violated(String why) {
            log.add("violated: " + why);
        }
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        sink.bytes.release();
    }

    private ByteBuf frame(Message message) {
        ByteBuffer frame = ByteBuffer.allocate(codec.encodedBytes(message));
        codec.encode(message, frame);
        return Unpooled.wrappedBuffer(frame.flip());
    }

    private static byte[] content() {
        byte[] content = new byte[BLOCK_BYTES];
        new Random(7).nextBytes(content);
        return content;
    }

    /** A message, a block, a message with a long payload, an empty message. */
    private ByteBuf conversation() {
        return Unpooled.wrappedBuffer(
                frame(new Message.Have(3)),
                frame(new PieceBlock(4, 5000, BLOCK_BYTES, 0, new byte[16])),
                Unpooled.wrappedBuffer(content()),
                frame(new Message.Desire(PieceSet.range(10, 2, 9))),
                frame(new Message.Done()));
    }

    private void assertConversationHeard() {
        assertThat(sink.log)
                .containsExactly(
                        new Message.Have(3),
                        ByteBuffer.wrap(content()),
                        new Message.Desire(PieceSet.range(10, 2, 9)),
                        new Message.Done());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 4999, 1_000_000})
    void framesAreTheSameHoweverTheBytesAreCut(int bytesPerRead) {
        ByteBuf all = conversation();
        while (all.isReadable()) {
            channel.writeInbound(all.readBytes(Math.min(bytesPerRead, all.readableBytes())));
        }
        all.release();

        assertConversationHeard();
    }

    @Test
    void theRestOfABlockIsReadStraightToItsPlace() {
        ByteBuf all = conversation();
        channel.writeInbound(all.readBytes(60));
        ByteBuf place = reader.place();
        assertThat(place).isNotNull();
        int rest = place.writableBytes();
        place.writeBytes(all, rest);
        channel.writeInbound(place);
        channel.writeInbound(all);

        assertThat(rest).isGreaterThan(BLOCK_BYTES - 60);
        assertConversationHeard();
    }

    @Test
    void betweenBlocksThereIsNoPlace() {
        channel.writeInbound(frame(new Message.Have(3)));

        assertThat(reader.place()).isNull();
    }

    @Test
    void withoutMemoryReadingStopsAndGoesOnWhereItWas() {
        sink.noPlace = true;
        ByteBuf all = conversation();
        channel.writeInbound(all.readBytes(2000));
        assertThat(channel.config().isAutoRead()).isFalse();
        channel.writeInbound(all);
        assertThat(sink.log).containsExactly(new Message.Have(3));

        sink.reader().resume();
        channel.runPendingTasks();
        assertThat(sink.log).hasSize(1);
        sink.noPlace = false;
        sink.reader().resume();
        channel.runPendingTasks();

        assertConversationHeard();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void memoryThatCannotBeHadLaterEndsTheConnection() {
        sink.noPlace = true;
        channel.writeInbound(conversation());
        sink.failure = new OutOfMemoryError("no direct memory");
        sink.reader().resume();
        channel.runPendingTasks();

        assertThatThrownBy(channel::checkException).isSameAs(sink.failure);
    }

    @Test
    void aBlockThatNobodyWantsIsReadOver() {
        sink.unwanted = true;
        channel.writeInbound(conversation());

        assertThat(sink.log)
                .containsExactly(new Message.Have(3), new Message.Desire(PieceSet.range(10, 2, 9)), new Message.Done());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000001ff", // no such type
                "0000000502000000ff", // a piece that isn't there
                "7fffffff02", // longer than any frame
                "ffffffff02",
                "00000000", // without a type
                "000000060200000001ff", // longer than its type
            })
    void whatIsNoFrameBreaksTheConnectionAndNothingIsReadAfterIt(String hex) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex), new byte[1]);
        channel.writeInbound(bytes);
        channel.writeInbound(frame(new Message.Have(3)));

        assertThat(sink.log).hasSize(1);
        assertThat(sink.log.get(0).toString()).startsWith("violated: ");
    }

    @Test
    void theRestOfABlockWhosePlaceIsLeftIsThrownAway() {
        ByteBuf all = conversation();
        channel.writeInbound(all.readRetainedSlice(3000));
        List<String> told = new ArrayList<>();

        sink.reader().leave(sink.bytes, () -> told.add("left"));
        int writtenBytes = sink.bytes.writerIndex();
        assertThat(told).containsExactly("left");
        assertThat(writtenBytes).isPositive();
        channel.writeInbound(all);

        assertThat(sink.bytes.writerIndex()).isEqualTo(writtenBytes);
        assertThat(sink.log)
                .containsExactly(new Message.Have(3), new Message.Desire(PieceSet.range(10, 2, 9)), new Message.Done());
    }
}
