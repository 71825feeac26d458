package org.robber.transport.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.wire.FrameHead;

/** Cuts the stream of a connection of the mesh into messages. Not thread-safe. */
final class MeshFrames {
    /** What follows the frame may come in the same read. Records of TLS are longer than what they bring. */
    private static final int LEAST_READ_BYTES = 32 << 10;

    private static final int MOST_READ_BYTES = 256 << 10;

    private final ByteBuffer head = ByteBuffer.allocate(FrameHead.BYTES);

    /** Of the frame whose head has come; memory of its own, which its message may keep. */
    private @Nullable ByteBuffer payload;

    private boolean ended;

    /** Takes over the bytes that follow, and tells of each message that they complete. */
    void read(ByteBuf bytes, Consumer<MeshMessage> messages) {
        try {
            while (bytes.isReadable() && !ended) {
                ByteBuffer begun = payload;
                if (begun == null) {
                    readHead(bytes, messages);
                } else {
                    move(bytes, begun);
                    tellIfComplete(begun, messages);
                }
            }
        } finally {
            bytes.release();
        }
    }

    /** Room for the next bytes of a long frame; null if none is due. */
    @Nullable
    ByteBuf room(ByteBufAllocator allocator) {
        ByteBuffer begun = payload;
        if (begun == null) {
            return null;
        }
        int bytes = Math.min(Math.max(begun.remaining(), LEAST_READ_BYTES), MOST_READ_BYTES);
        return allocator.ioBuffer(bytes, bytes);
    }

    private void readHead(ByteBuf bytes, Consumer<MeshMessage> messages) {
        move(bytes, head);
        if (head.hasRemaining()) {
            return;
        }
        int payloadBytes = MeshCodec.payloadBytes(head.getInt(0), typeCode());
        boolean isWhole = bytes.readableBytes() >= payloadBytes;
        if (isWhole && !MeshCodec.isPersonal(head)) {
            ByteBuffer whole = bytes.nioBuffer(bytes.readerIndex(), payloadBytes);
            bytes.skipBytes(payloadBytes);
            tell(whole, messages);
        } else {
            payload = ByteBuffer.allocate(payloadBytes);
        }
    }

    private int typeCode() {
        return Byte.toUnsignedInt(head.get(FrameHead.LENGTH_FIELD_BYTES));
    }

    private static void move(ByteBuf from, ByteBuffer to) {
        int count = Math.min(from.readableBytes(), to.remaining());
        from.readBytes(to.slice(to.position(), count));
        to.position(to.position() + count);
    }

    private void tellIfComplete(ByteBuffer begun, Consumer<MeshMessage> messages) {
        if (!begun.hasRemaining()) {
            payload = null;
            tell(begun.flip(), messages);
        }
    }

    private void tell(ByteBuffer whole, Consumer<MeshMessage> messages) {
        int typeCode = typeCode();
        head.clear();
        messages.accept(MeshCodec.decode(typeCode, whole));
    }

    /** No more bytes follow. May be called while a message is told of. */
    void end() {
        ended = true;
        payload = null;
    }
}
