package org.robber.transport.mesh;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.wire.FrameHead;

/** Cuts the stream of a connection of the mesh into messages. Not thread-safe. */
final class MeshFrames {
    /** The begin of a frame whose end has not come. */
    private @Nullable ByteBuf rest;

    private boolean ended;

    /** Takes over the bytes that follow, and tells of each message that they complete. */
    void read(ByteBuf bytes, Consumer<MeshMessage> messages) {
        ByteBuf before = rest;
        ByteBuf input = before == null ? bytes : append(before, bytes);
        rest = null;
        try {
            boolean more = true;
            while (more) {
                more = readOne(input, messages);
            }
            if (input.isReadable() && !ended) {
                rest = before == null ? input.alloc().buffer().writeBytes(input) : input.retain();
            }
        } finally {
            input.release();
        }
    }

    private static ByteBuf append(ByteBuf first, ByteBuf bytes) {
        try {
            return first.discardReadBytes().writeBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    private static boolean readOne(ByteBuf input, Consumer<MeshMessage> messages) {
        if (input.readableBytes() < FrameHead.BYTES) {
            return false;
        }
        int start = input.readerIndex();
        int typeCode = input.getUnsignedByte(start + FrameHead.LENGTH_FIELD_BYTES);
        int payloadBytes = MeshCodec.payloadBytes(input.getInt(start), typeCode);
        if (input.readableBytes() < FrameHead.BYTES + payloadBytes) {
            return false;
        }
        MeshMessage message = MeshCodec.decode(typeCode, input.nioBuffer(start + FrameHead.BYTES, payloadBytes));
        input.skipBytes(FrameHead.BYTES + payloadBytes);
        messages.accept(message);
        return true;
    }

    /** No more bytes follow. May be called while a message is told of. */
    void end() {
        ended = true;
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }
}
