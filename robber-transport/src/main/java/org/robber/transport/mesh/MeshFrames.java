package org.robber.transport.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.robber.core.wire.FrameHead;

/** Cuts the stream of a connection of the mesh into messages. */
final class MeshFrames extends ByteToMessageDecoder {

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf input, List<Object> out) {
        if (input.readableBytes() < FrameHead.BYTES) {
            return;
        }
        int start = input.readerIndex();
        int typeCode = input.getUnsignedByte(start + FrameHead.LENGTH_FIELD_BYTES);
        int payloadBytes = MeshCodec.payloadBytes(input.getInt(start), typeCode);
        if (input.readableBytes() < FrameHead.BYTES + payloadBytes) {
            return;
        }
        out.add(MeshCodec.decode(typeCode, input.nioBuffer(start + FrameHead.BYTES, payloadBytes)));
        input.skipBytes(FrameHead.BYTES + payloadBytes);
    }
}
