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

    /** From a node that has proved the secret and has not said yet who it is. */
    public static final Set<ControlType> FROM_NEWCOMER =
            Set.of(ControlType.ANNOUNCE, ControlType.JOIN, ControlType.ALIVE);

    /** From a node that waits for the others. */
    public static final Set<ControlType> FROM_WAITING_NODE = Set.of(ControlType.ALIVE);

    /** From a node of the job to rank 0. */
    public static final Set<ControlType> FROM_NODE = Set.of(
            ControlType.CALL,
            ControlType.ARRIVE,
            ControlType.PUBLISH,
            ControlType.PROGRESS,
            ControlType.FAIL,
            ControlType.LOST,
            ControlType.GOODBYE,
            ControlType.ALIVE);

    /** From a node that has joined to rank 0. */
    public static final Set<ControlType> FROM_JOINER =
            Set.of(ControlType.PUBLISH, ControlType.PROGRESS, ControlType.LOST, ControlType.GOODBYE, ControlType.ALIVE);

    /** From rank 0 to a node that joins. */
    public static final Set<ControlType> TO_JOINER = Set.of(
            ControlType.ROSTER,
            ControlType.REFUSE,
            ControlType.ADMIT,
            ControlType.PUBLISH,
            ControlType.FAIL,
            ControlType.LOST,
            ControlType.GOODBYE,
            ControlType.ALIVE);

    /** From rank 0. */
    public static final Set<ControlType> FROM_RANK_ZERO = Set.of(
            ControlType.ROSTER,
            ControlType.JOINED,
            ControlType.REFUSE,
            ControlType.RELEASE,
            ControlType.PUBLISH,
            ControlType.FAIL,
            ControlType.LOST,
            ControlType.GOODBYE,
            ControlType.ALIVE);

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
