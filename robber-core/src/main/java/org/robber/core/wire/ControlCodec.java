package org.robber.core.wire;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.topology.Topology;

/**
 * The binary form of {@link ControlMessage}: frames as in {@link FrameHead}, with these payloads, in which a name or text
 * is UTF-8 after its length as u16, and all numbers are big endian.
 *
 * <pre>{@code
 *   ANNOUNCE     job, u32 rank, u32 size, u8 1 and cluster (or u8 0), host, u64 process id, data address, u16 data port,
 *                settings
 *   ROSTER       u64 seed, u32 count, and for each: cluster, host, u64 process id, data address, u16 data port
 *   REFUSE       u32 code, reason
 *   CALL         u64 number, call
 *   ARRIVE       u64 number, u32 length, payload
 *   RELEASE      u64 number, u32 length, payload
 *   PUBLISH      topic, u32 length, payload
 *   PROGRESS     phase, u64 bytes done, u64 bytes in all
 *   FAIL         u32 code, u32 count, u32 rank of each, phase, text
 *   GOODBYE      nothing
 *   ALIVE        nothing
 *   DATA_HELLO   job, u64 seed, u32 channel, u32 rank
 * }</pre>
 *
 * <p>Decoding throws {@link WireException} and nothing else, whatever the bytes are.
 */
public final class ControlCodec {

    private static final int SMALLEST_MEMBER_BYTES = 2 + 2 + 8 + 2 + 2;

    private ControlCodec() {}

    /**
     * The payload's length of a frame of which the first {@link FrameHead#BYTES} bytes are known.
     *
     * @param lengthField the first 4 bytes, big endian
     * @param typeCode the fifth byte, 0..255
     * @throws WireException if the type is unknown or the frame is longer than it may be
     */
    public static int payloadBytes(int lengthField, int typeCode) {
        ControlType type = type(typeCode);
        return FrameHead.payloadBytes(lengthField, type.maxFrameBytes(), type);
    }

    /**
     * A new buffer with the whole frame. Texts for people, the reason of a refusal and the text of a failure, are cut where
     * they are too long.
     *
     * @throws IllegalArgumentException if a receiver would refuse the message
     */
    public static ByteBuffer encode(ControlMessage message) {
        ControlType type = ControlType.of(message);
        FieldWriter out = new FieldWriter(type, type.code(), type.maxFrameBytes());
        switch (type) {
            case ANNOUNCE -> encodeAnnounce((ControlMessage.Announce) message, out);
            case ROSTER -> encodeRoster((ControlMessage.Roster) message, out);
            case REFUSE -> {
                out.i32(((ControlMessage.Refuse) message).code());
                out.text(((ControlMessage.Refuse) message).reason());
            }
            case CALL -> {
                out.natural("number", ((ControlMessage.Call) message).number());
                out.name("call", ((ControlMessage.Call) message).call());
            }
            case ARRIVE -> {
                out.natural("number", ((ControlMessage.Arrive) message).number());
                out.payload("payload", ((ControlMessage.Arrive) message).payload());
            }
            case RELEASE -> {
                out.natural("number", ((ControlMessage.Release) message).number());
                out.payload("payload", ((ControlMessage.Release) message).payload());
            }
            case PUBLISH -> {
                out.name("topic", ((ControlMessage.Publish) message).topic());
                out.payload("payload", ((ControlMessage.Publish) message).payload());
            }
            case PROGRESS -> {
                out.name("phase", ((ControlMessage.Progress) message).phase());
                out.natural("bytesDone", ((ControlMessage.Progress) message).bytesDone());
                out.natural("bytesTotal", ((ControlMessage.Progress) message).bytesTotal());
            }
            case FAIL -> encodeFail((ControlMessage.Fail) message, out);
            case GOODBYE, ALIVE -> {}
            case DATA_HELLO -> encodeDataHello((ControlMessage.DataHello) message, out);
        }
        return out.finish();
    }

    /**
     * Reads a message.
     *
     * @param typeCode the type from the frame's head, 0..255
     * @param payload exactly the payload between its position and limit; its position is moved to the limit
     * @throws WireException if these bytes are no message; the position has not moved then
     */
    public static ControlMessage decode(int typeCode, ByteBuffer payload) {
        ControlType type = type(typeCode);
        FieldReader in = new FieldReader(type, payload);
        ControlMessage message = switch (type) {
            case ANNOUNCE -> decodeAnnounce(in);
            case ROSTER -> decodeRoster(in);
            case REFUSE -> new ControlMessage.Refuse(in.i32("code"), text(in, "reason"));
            case CALL -> new ControlMessage.Call(in.natural("number"), in.name("call"));
            case ARRIVE -> new ControlMessage.Arrive(in.natural("number"), in.payload("payload"));
            case RELEASE -> new ControlMessage.Release(in.natural("number"), in.payload("payload"));
            case PUBLISH -> new ControlMessage.Publish(in.name("topic"), in.payload("payload"));
            case PROGRESS ->
                new ControlMessage.Progress(in.name("phase"), in.natural("bytesDone"), in.natural("bytesTotal"));
            case FAIL -> decodeFail(in);
            case GOODBYE -> new ControlMessage.Goodbye();
            case ALIVE -> new ControlMessage.Alive();
            case DATA_HELLO ->
                new ControlMessage.DataHello(
                        in.name("job"), in.i64("seed"), in.between("channel", 0, Integer.MAX_VALUE), rank(in));
        };
        in.end();
        payload.position(payload.limit());
        return message;
    }

    private static void encodeAnnounce(ControlMessage.Announce announce, FieldWriter out) {
        out.name("job", announce.job());
        out.between("rank", announce.rank(), 0, Topology.MAX_NODES - 1);
        out.between("size", announce.size(), 1, Topology.MAX_NODES);
        String cluster = announce.cluster();
        out.u8(cluster == null ? 0 : 1);
        if (cluster != null) {
            out.name("cluster", cluster);
        }
        out.name("host", announce.host());
        out.natural("processId", announce.processId());
        out.name("dataAddress", announce.dataAddress());
        out.u16("dataPort", announce.dataPort());
        out.exactText("settings", announce.settings(), WireLimits.MAX_TEXT_BYTES);
    }

    private static ControlMessage.Announce decodeAnnounce(FieldReader in) {
        String job = in.name("job");
        int rank = rank(in);
        int size = in.between("size", 1, Topology.MAX_NODES);
        @Nullable String cluster = in.flag("has a cluster") ? in.name("cluster") : null;
        return new ControlMessage.Announce(
                job,
                rank,
                size,
                cluster,
                in.name("host"),
                in.natural("processId"),
                in.name("dataAddress"),
                in.u16("dataPort"),
                text(in, "settings"));
    }

    private static void encodeRoster(ControlMessage.Roster roster, FieldWriter out) {
        out.i64(roster.seed());
        out.between("members", roster.members().size(), 1, Topology.MAX_NODES);
        for (ControlMessage.Member member : roster.members()) {
            out.name("cluster", member.cluster());
            out.name("host", member.host());
            out.natural("processId", member.processId());
            out.name("dataAddress", member.dataAddress());
            out.u16("dataPort", member.dataPort());
        }
    }

    private static ControlMessage.Roster decodeRoster(FieldReader in) {
        long seed = in.i64("seed");
        int count = in.count("members", 1, Topology.MAX_NODES, SMALLEST_MEMBER_BYTES);
        ImmutableList.Builder<ControlMessage.Member> members = ImmutableList.builderWithExpectedSize(count);
        for (int rank = 0; rank < count; rank++) {
            members.add(new ControlMessage.Member(
                    in.name("cluster"),
                    in.name("host"),
                    in.natural("processId"),
                    in.name("dataAddress"),
                    in.u16("dataPort")));
        }
        return new ControlMessage.Roster(seed, members.build());
    }

    private static void encodeFail(ControlMessage.Fail fail, FieldWriter out) {
        out.i32(fail.code());
        out.between("ranks", fail.ranks().size(), 0, Topology.MAX_NODES);
        for (int rank : fail.ranks()) {
            out.between("rank", rank, 0, Topology.MAX_NODES - 1);
        }
        out.name("phase", fail.phase());
        out.text(fail.text());
    }

    private static ControlMessage.Fail decodeFail(FieldReader in) {
        int code = in.i32("code");
        int count = in.count("ranks", 0, Topology.MAX_NODES, Integer.BYTES);
        ImmutableList.Builder<Integer> ranks = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            ranks.add(rank(in));
        }
        return new ControlMessage.Fail(code, ranks.build(), in.name("phase"), text(in, "text"));
    }

    private static void encodeDataHello(ControlMessage.DataHello hello, FieldWriter out) {
        out.name("job", hello.job());
        out.i64(hello.seed());
        out.between("channel", hello.channel(), 0, Integer.MAX_VALUE);
        out.between("rank", hello.rank(), 0, Topology.MAX_NODES - 1);
    }

    private static int rank(FieldReader in) {
        return in.between("rank", 0, Topology.MAX_NODES - 1);
    }

    private static String text(FieldReader in, String field) {
        return in.text(field, WireLimits.MAX_TEXT_BYTES);
    }

    private static ControlType type(int typeCode) {
        ControlType type = ControlType.ofCode(typeCode);
        if (type == null) {
            throw new WireException(WireError.UNKNOWN_TYPE, "no control message has the type " + typeCode);
        }
        return type;
    }
}
