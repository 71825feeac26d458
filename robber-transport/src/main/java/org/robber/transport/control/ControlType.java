package org.robber.transport.control;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.WireLimits;

/**
 * The kinds of control messages, with their code and limit on the wire. Codes are never reused, and none is that of a
 * message between peers: a frame on the wrong kind of connection is of no known type there.
 */
public enum ControlType {
    ANNOUNCE(
            65,
            ControlMessage.Announce.class,
            Longest.NAME + 4 + 4 + 1 + Longest.NAME + Longest.NAME + 8 + Longest.ADDRESSES + 2 + Longest.TEXT),
    ROSTER(66, ControlMessage.Roster.class, WireLimits.MAX_ROSTER_FRAME_BYTES - FrameHead.BYTES),
    REFUSE(67, ControlMessage.Refuse.class, 4 + Longest.TEXT),
    CALL(68, ControlMessage.Call.class, 8 + Longest.NAME),
    ARRIVE(69, ControlMessage.Arrive.class, 8 + Longest.PAYLOAD),
    RELEASE(70, ControlMessage.Release.class, 8 + Longest.PAYLOAD),
    PUBLISH(71, ControlMessage.Publish.class, 4 + Longest.NAME + Longest.PAYLOAD),
    PROGRESS(72, ControlMessage.Progress.class, Longest.NAME + 8 + 8 + 4 + (4 + 8) * Topology.MAX_NODES),
    FAIL(73, ControlMessage.Fail.class, 4 + 4 + 4 * Topology.MAX_NODES + Longest.NAME + Longest.TEXT),
    GOODBYE(74, ControlMessage.Goodbye.class, 0),
    ALIVE(75, ControlMessage.Alive.class, 0),
    DATA_HELLO(76, ControlMessage.DataHello.class, Longest.NAME + 8 + 8 + 4 + 4),
    LOST(77, ControlMessage.Lost.class, 4 + 4 + Longest.NAME + Longest.TEXT),
    JOIN(78, ControlMessage.Join.class, Longest.NAME + 1 + Longest.NAME + Longest.NAME + 8 + Longest.ADDRESSES + 2),
    ADMIT(79, ControlMessage.Admit.class, 4 + 4 + 8 + 4 + 8 + 4 + Longest.NAME + Longest.NAME + 4),
    JOINED(80, ControlMessage.Joined.class, 4 + Longest.NAME + Longest.NAME + 8 + Longest.ADDRESSES + 2),
    MEASURE_ROUND_TRIP(81, ControlMessage.MeasureRoundTrip.class, 4 + Longest.NAME + 2),
    ROUND_TRIP(82, ControlMessage.RoundTrip.class, 4 + 8),
    CALL_BACK(83, ControlMessage.CallBack.class, 4 + 4 + 8),
    BACK_HELLO(84, ControlMessage.BackHello.class, Longest.NAME + 8 + 4 + 8),
    RELAY(85, ControlMessage.Relay.class, Longest.NAME + 8 + 4 + 4);

    /** From a node that has proved the secret and has not announced itself. */
    public static final Set<ControlType> FROM_NEW_NODE = Set.of(ANNOUNCE, JOIN, ALIVE);

    /** From a node that waits for the others. */
    public static final Set<ControlType> FROM_WAITING_NODE = Set.of(ROUND_TRIP, ALIVE);

    /** From a member of the job to rank 0. A {@code ROUND_TRIP} may come late. */
    public static final Set<ControlType> FROM_MEMBER =
            Set.of(ROUND_TRIP, CALL, ARRIVE, PUBLISH, PROGRESS, FAIL, LOST, CALL_BACK, GOODBYE, ALIVE);

    /** From a joiner to rank 0. */
    public static final Set<ControlType> FROM_JOINER = Set.of(PUBLISH, PROGRESS, LOST, CALL_BACK, GOODBYE, ALIVE);

    /** From rank 0 to a joiner. */
    public static final Set<ControlType> TO_JOINER = Set.of(ROSTER, REFUSE, ADMIT, PUBLISH, FAIL, LOST, GOODBYE, ALIVE);

    /** From rank 0 to a node that waits for the roster. */
    public static final Set<ControlType> TO_WAITING_NODE =
            Set.of(MEASURE_ROUND_TRIP, ROSTER, REFUSE, FAIL, GOODBYE, ALIVE);

    /** From rank 0 to a member of the job. */
    public static final Set<ControlType> TO_MEMBER =
            Set.of(ROSTER, JOINED, REFUSE, RELEASE, PUBLISH, FAIL, LOST, CALL_BACK, GOODBYE, ALIVE);

    private static final ImmutableMap<Integer, ControlType> BY_CODE =
            Maps.uniqueIndex(Arrays.asList(values()), ControlType::code);
    private static final ImmutableMap<Class<? extends ControlMessage>, ControlType> BY_RECORD =
            Maps.uniqueIndex(Arrays.asList(values()), type -> type.record);

    private final int code;
    private final Class<? extends ControlMessage> record;
    private final int maxFrameBytes;

    ControlType(int code, Class<? extends ControlMessage> record, int maxPayloadBytes) {
        this.code = code;
        this.record = record;
        this.maxFrameBytes = FrameHead.BYTES + maxPayloadBytes;
    }

    /** The code of this type on the wire, 1..255. */
    public int code() {
        return code;
    }

    /** The longest a whole frame of this type may be, from its length field to its last byte. */
    public int maxFrameBytes() {
        return maxFrameBytes;
    }

    /** The type of this message. */
    public static ControlType of(ControlMessage message) {
        ControlType type = BY_RECORD.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException("no type for " + message.getClass());
        }
        return type;
    }

    /** The type with this code, or null if there is none. */
    public static @Nullable ControlType ofCode(int code) {
        return BY_CODE.get(code);
    }

    /** The most bytes that fields of these kinds take, with their length. */
    private static final class Longest {
        static final int NAME = 2 + WireLimits.MAX_NAME_BYTES;
        static final int ADDRESSES = 1 + ControlMessage.MAX_ADDRESSES * NAME;
        static final int TEXT = 2 + WireLimits.MAX_TEXT_BYTES;
        static final int PAYLOAD = 4 + WireLimits.MAX_PAYLOAD_BYTES;
    }
}
