package org.robber.transport.mesh;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.Leave;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.meeting.MeshMessage.Received;
import org.robber.core.meeting.MeshMessage.Ring;
import org.robber.core.meeting.MeshMessage.Share;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FieldReader;
import org.robber.core.wire.FieldWriter;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;

/**
 * The binary form of {@link MeshMessage}: frames as in {@link FrameHead}, with these payloads, big endian. The CRC-32C of type and payload follows each,
 * since small calls bring what they bring without another digest.
 *
 * <pre>{@code
 *   BUNDLE     u64 group, u64 number, call, u32 count, and for each: u32 length, payload
 *   BEGUN      u64 group, u64 number, call
 *   RECEIVED   u64 count
 *   LEAVE      nothing
 *   PERSONAL   u64 group, u64 number, call, u32 length, payload
 *   SHARE      name, u64 token
 *   RING       nothing
 * }</pre>
 *
 * <p>Decoding throws {@link WireException} and nothing else, whatever the bytes are.
 */
final class MeshCodec {
    static final int CRC_BYTES = Integer.BYTES;

    private MeshCodec() {}

    /**
     * The payload's length of a frame of which the first {@link FrameHead#BYTES} bytes are known.
     *
     * @param lengthField the first 4 bytes, big endian
     * @param typeCode the fifth byte, 0..255
     * @throws WireException if the type is unknown or the frame is longer than it may be
     */
    static int payloadBytes(int lengthField, int typeCode) {
        MeshType type = type(typeCode);
        return FrameHead.payloadBytes(lengthField, type.maxFrameBytes(), type);
    }

    /**
     * A new buffer with the whole frame.
     *
     * @throws IllegalArgumentException if a receiver would refuse the message
     */
    static ByteBuffer encode(MeshMessage message) {
        MeshType type = MeshType.of(message);
        int payloadBytes =
                message instanceof Personal personal ? personal.payload().remaining() : 0;
        FieldWriter out = new FieldWriter(type, type.code(), type.maxFrameBytes(), payloadBytes);
        if (message instanceof OfMeeting ofMeeting) {
            out.i64(ofMeeting.key().groupId());
            out.natural("number", ofMeeting.key().number());
            out.name("call", ofMeeting.call());
        }
        if (message instanceof Bundle bundle) {
            out.between("payloads", bundle.payloads().size(), 0, Topology.MAX_NODES);
            bundle.payloads().forEach(payload -> out.payload("payload", payload));
        } else if (message instanceof Personal personal) {
            out.payload("payload", personal.payload());
        } else if (message instanceof Received received) {
            out.natural("count", received.count());
        } else if (message instanceof Share share) {
            out.name("name", share.name());
            out.i64(share.token());
        }
        out.i32(0);
        ByteBuffer frame = out.finish();
        int end = frame.limit() - CRC_BYTES;
        return frame.putInt(end, crc32c(type.code(), frame.slice(FrameHead.BYTES, end - FrameHead.BYTES)));
    }

    /**
     * Reads a message. A {@link Personal} shares the memory of the payload.
     *
     * @param typeCode the type from the frame's head, 0..255
     * @param payload exactly the payload between its position and limit; its position is moved to the limit
     * @throws WireException if these bytes are no message; the position has not moved then
     */
    static MeshMessage decode(int typeCode, ByteBuffer payload) {
        MeshType type = type(typeCode);
        int fieldBytes = payload.remaining() - CRC_BYTES;
        if (fieldBytes < 0) {
            throw new WireException(WireError.TRUNCATED, type + ": no checksum");
        }
        ByteBuffer fields = payload.slice(payload.position(), fieldBytes);
        FieldReader in = new FieldReader(type, fields);
        MeshMessage message = switch (type) {
            case BUNDLE -> new Bundle(key(in), in.name("call"), payloads(in));
            case BEGUN -> new Begun(key(in), in.name("call"));
            case RECEIVED -> new Received(in.natural("count"));
            case LEAVE -> new Leave();
            case RING -> new Ring();
            case SHARE -> new Share(in.name("name"), in.i64("token"));
            case PERSONAL -> new Personal(key(in), in.name("call"), in.sharedPayload("payload"));
        };
        in.end();
        if (crc32c(typeCode, fields) != payload.duplicate().getInt(payload.limit() - CRC_BYTES)) {
            throw new WireException(WireError.MALFORMED, type + ": the checksum is not that of the message");
        }
        payload.position(payload.limit());
        return message;
    }

    /**
     * Reads the message of a meeting from a whole frame; it shares no memory with the frame.
     *
     * @throws WireException if these bytes are no such frame
     */
    static OfMeeting decodeFrame(ByteBuffer frame) {
        if (frame.remaining() < FrameHead.BYTES) {
            throw new WireException(WireError.TRUNCATED, "a frame of " + frame.remaining() + " bytes");
        }
        int typeCode = Byte.toUnsignedInt(frame.get(FrameHead.LENGTH_FIELD_BYTES));
        ByteBuffer payload = frame.slice(FrameHead.BYTES, frame.remaining() - FrameHead.BYTES);
        if (payloadBytes(frame.getInt(0), typeCode) != payload.remaining()) {
            throw new WireException(WireError.MALFORMED, "a frame of another length than it says");
        }
        if (isPersonal(frame)) {
            payload = ByteBuffer.allocate(payload.remaining()).put(payload).flip();
        }
        if (decode(typeCode, payload) instanceof OfMeeting message) {
            return message;
        }
        throw new WireException(WireError.UNKNOWN_TYPE, "a message of no meeting");
    }

    /** Whether a frame is a {@link Personal}; its position does not matter. */
    static boolean isPersonal(ByteBuffer frame) {
        return frame.get(FrameHead.LENGTH_FIELD_BYTES) == (byte) MeshType.PERSONAL.code();
    }

    private static int crc32c(int typeCode, ByteBuffer fields) {
        CRC32C crc = new CRC32C();
        crc.update(typeCode);
        crc.update(fields);
        return (int) crc.getValue();
    }

    private static MeetingKey key(FieldReader in) {
        return new MeetingKey(in.i64("group"), in.natural("number"));
    }

    private static ImmutableList<byte[]> payloads(FieldReader in) {
        int count = in.count("payloads", 0, Topology.MAX_NODES, Integer.BYTES);
        ImmutableList.Builder<byte[]> payloads = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            payloads.add(in.payload("payload"));
        }
        return payloads.build();
    }

    private static MeshType type(int typeCode) {
        MeshType type = MeshType.ofCode(typeCode);
        if (type == null) {
            throw new WireException(WireError.UNKNOWN_TYPE, "no message of the mesh has the type " + typeCode);
        }
        return type;
    }
}
