package org.robber.transport.mesh;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeetingNode;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.WireLimits;

/**
 * The kinds of messages of the mesh, with their code and limit on the wire. Codes are never reused, and none is that of another
 * message.
 */
enum MeshType {
    BUNDLE(97, MeshMessage.Bundle.class, MeshType.MEETING_BYTES + 4 + 4 * Topology.MAX_NODES + MeetingNode.MOST_BYTES),
    BEGUN(98, MeshMessage.Begun.class, MeshType.MEETING_BYTES),
    RECEIVED(99, MeshMessage.Received.class, 8),
    LEAVE(100, MeshMessage.Leave.class, 0),
    PERSONAL(101, MeshMessage.Personal.class, MeshType.MEETING_BYTES + 4 + PersonalPayloads.MOST_BYTES),
    SHARE(102, MeshMessage.Share.class, 2 + WireLimits.MAX_NAME_BYTES + 8),
    RING(103, MeshMessage.Ring.class, 0);

    /** The group, the number and the call of a meeting. */
    private static final int MEETING_BYTES = 8 + 8 + 2 + WireLimits.MAX_NAME_BYTES;

    private static final ImmutableMap<Integer, MeshType> BY_CODE =
            Maps.uniqueIndex(Arrays.asList(values()), MeshType::code);
    private static final ImmutableMap<Class<? extends MeshMessage>, MeshType> BY_RECORD =
            Maps.uniqueIndex(Arrays.asList(values()), type -> type.record);

    private final int code;
    private final Class<? extends MeshMessage> record;
    private final int maxFrameBytes;

    MeshType(int code, Class<? extends MeshMessage> record, int maxPayloadBytes) {
        this.code = code;
        this.record = record;
        this.maxFrameBytes = FrameHead.BYTES + maxPayloadBytes + MeshCodec.CRC_BYTES;
    }

    /** The code of this type on the wire, 1..255. */
    int code() {
        return code;
    }

    /** The longest a whole frame of this type may be, from its length field to its last byte. */
    int maxFrameBytes() {
        return maxFrameBytes;
    }

    static MeshType of(MeshMessage message) {
        MeshType type = BY_RECORD.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException("no type for " + message.getClass());
        }
        return type;
    }

    /** The type with this code, or null if there is none. */
    static @Nullable MeshType ofCode(int code) {
        return BY_CODE.get(code);
    }
}
