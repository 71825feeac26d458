package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.meeting.MeshMessage.Received;
import org.robber.core.wire.WireException;
import org.robber.transport.BufferLeaks;

class MeshFramesTest {
    private static final MeetingKey KEY = new MeetingKey(7, 3);

    private static ByteBuffer stream() {
        ByteBuffer stream = ByteBuffer.allocate(100_000);
        stream.put(MeshCodec.encode(new Begun(KEY, "barrier")));
        stream.put(MeshCodec.encode(new Bundle(KEY, "gather", List.of(new byte[70_000], new byte[1]))));
        stream.put(MeshCodec.encode(new Personal(KEY, "scatter", ByteBuffer.wrap(new byte[] {1, 2, 3}))));
        stream.put(MeshCodec.encode(new Received(5)));
        return stream.flip();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 6, 7, 1000, 65_536, 100_000})
    void messagesComeWholeHoweverTheirBytesAreCut(int bytesAtOnce) {
        List<MeshMessage> came = new ArrayList<>();
        List<ByteBuf> read = new ArrayList<>();
        MeshFrames frames = new MeshFrames();
        ByteBuffer stream = stream();
        while (stream.hasRemaining()) {
            int count = Math.min(bytesAtOnce, stream.remaining());
            ByteBuf bytes = Unpooled.copiedBuffer(stream.slice(stream.position(), count));
            stream.position(stream.position() + count);
            read.add(bytes);
            frames.read(bytes, came::add);
        }
        assertThat(came).hasSize(4);
        assertThat(came.get(0)).isEqualTo(new Begun(KEY, "barrier"));
        assertThat(((Bundle) came.get(1)).payloads())
                .extracting(payload -> payload.length)
                .containsExactly(70_000, 1);
        assertThat(came.get(2)).isEqualTo(new Personal(KEY, "scatter", ByteBuffer.wrap(new byte[] {1, 2, 3})));
        assertThat(came.get(3)).isEqualTo(new Received(5));
        assertThat(read).allSatisfy(bytes -> assertThat(bytes.refCnt()).isZero());
    }

    @Test
    void whatIsNoMessageIsRefusedAndItsBytesAreGivenBack() {
        ByteBuf bytes = Unpooled.copiedBuffer(new byte[] {0, 0, 0, 1, 99, 0});
        assertThatThrownBy(() -> new MeshFrames().read(bytes, message -> {})).isInstanceOf(WireException.class);
        assertThat(bytes.refCnt()).isZero();
    }

    /** A connection that brings such bytes is ended, and what it had to bring comes over another. */
    @Test
    void noFlippedBitIsTakenForAMessage() {
        Bundle bundle = new Bundle(KEY, "gather", List.of(new byte[] {1, 2, 3}, new byte[0], new byte[40]));
        byte[] frame = new byte[MeshCodec.encode(bundle).remaining()];
        for (int bit = 0; bit < 8 * frame.length; bit++) {
            MeshCodec.encode(bundle).get(frame);
            frame[bit / 8] ^= (byte) (1 << (bit % 8));
            List<MeshMessage> came = new ArrayList<>();
            MeshFrames frames = new MeshFrames();
            try {
                frames.read(Unpooled.copiedBuffer(frame), came::add);
            } catch (WireException expected) {
                // A frame that seems longer waits for more instead.
            }
            frames.end();
            assertThat(came).as("bit %s", bit).isEmpty();
        }
    }

    @Test
    void theBeginOfAMessageIsGivenBackAtTheEnd() {
        MeshFrames frames = new MeshFrames();
        ByteBuf bytes = Unpooled.copiedBuffer(stream().limit(8));
        frames.read(bytes, message -> {});
        frames.end();
        frames.end();
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void nothingIsKeptIfTheConnectionEndsWhileAMessageIsToldOf() {
        BufferLeaks.Watch leaks = BufferLeaks.watch();
        MeshFrames frames = new MeshFrames();
        ByteBuffer stream = stream();
        frames.read(Unpooled.copiedBuffer(stream.limit(stream.limit() - 2)), message -> frames.end());
        leaks.check();
    }
}
