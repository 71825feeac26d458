package org.robber.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;

/**
 * Cuts the stream of a control connection into messages. A message that the other side may not send is refused by its
 * head alone, so that no peer can make this node hold more than it expects.
 */
public final class ControlFrames extends ByteToMessageDecoder {
    /** Set from the loop that the link belongs to, which may be another one. */
    private volatile Set<ControlType> expected;

    public ControlFrames(Set<ControlType> expected) {
        this.expected = expected;
    }

    /** From the next message on, these types and no others are welcome. */
    public void expect(Set<ControlType> types) {
        expected = types;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf input, List<Object> out) {
        if (input.readableBytes() < FrameHead.BYTES) {
            return;
        }
        int start = input.readerIndex();
        int typeCode = input.getUnsignedByte(start + FrameHead.LENGTH_FIELD_BYTES);
        int payloadBytes = ControlCodec.payloadBytes(input.getInt(start), typeCode);
        @Nullable ControlType type = ControlType.ofCode(typeCode);
        if (type == null || !expected.contains(type)) {
            throw new WireException(WireError.UNKNOWN_TYPE, type + " has no place here");
        }
        if (input.readableBytes() < FrameHead.BYTES + payloadBytes) {
            return;
        }
        out.add(ControlCodec.decode(typeCode, input.nioBuffer(start + FrameHead.BYTES, payloadBytes)));
        input.skipBytes(FrameHead.BYTES + payloadBytes);
    }
}
