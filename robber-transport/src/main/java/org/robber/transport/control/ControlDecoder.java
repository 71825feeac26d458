package org.robber.transport.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FieldReader;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.core.wire.WireLimits;

/** Reads the payloads of control messages; all that is wrong with them is a {@link WireException}. */
final class ControlDecoder {
    private static final int SMALLEST_MEMBER_BYTES = 2 + 2 + 8 + 1 + 2;

    private ControlDecoder() {}

    static ControlMessage decode(ControlType type, FieldReader in) {
        ControlMessage message = switch (type) {
            case ANNOUNCE -> announce(in);
            case ROSTER -> roster(in);
            case REFUSE -> new ControlMessage.Refuse(in.i32("code"), line(in, "reason"));
            case CALL -> new ControlMessage.Call(in.natural("number"), in.name("call"));
            case ARRIVE -> new ControlMessage.Arrive(in.natural("number"), in.payload("payload"));
            case RELEASE -> new ControlMessage.Release(in.natural("number"), in.payload("payload"));
            case PUBLISH -> new ControlMessage.Publish(rank(in), in.name("topic"), in.payload("payload"));
            case PROGRESS -> progress(in);
            case FAIL -> fail(in);
            case GOODBYE -> new ControlMessage.Goodbye();
            case ALIVE -> new ControlMessage.Alive();
            case DATA_HELLO ->
                new ControlMessage.DataHello(in.name("job"), in.i64("seed"), in.i64("channel"), rank(in), rank(in));
            case LOST -> new ControlMessage.Lost(rank(in), in.i32("code"), nameLine(in, "phase"), line(in, "text"));
            case JOIN ->
                new ControlMessage.Join(
                        in.name("job"),
                        cluster(in),
                        nameLine(in, "host"),
                        in.natural("processId"),
                        addresses(in),
                        in.u16("dataPort"));
            case ADMIT ->
                new ControlMessage.Admit(
                        in.between("members", 1, Topology.MAX_NODES),
                        in.between("channel", 0, Integer.MAX_VALUE),
                        in.natural("sequence"),
                        rank(in),
                        in.natural("totalBytes"),
                        in.between("pieceBytes", 1, Integer.MAX_VALUE),
                        in.name("strategy"),
                        in.name("digest"),
                        in.between("descriptionBytes", 0, Integer.MAX_VALUE));
            case MEASURE_ROUND_TRIP ->
                new ControlMessage.MeasureRoundTrip(
                        in.between("round", 0, Integer.MAX_VALUE), in.name("address"), in.u16("port"));
            case ROUND_TRIP ->
                new ControlMessage.RoundTrip(in.between("round", 0, Integer.MAX_VALUE), in.natural("micros"));
            case JOINED -> new ControlMessage.Joined(rank(in), member(in));
            case CALL_BACK -> new ControlMessage.CallBack(rank(in), rank(in), in.i64("token"));
            case BACK_HELLO -> new ControlMessage.BackHello(in.name("job"), in.i64("seed"), rank(in), in.i64("token"));
            case RELAY -> new ControlMessage.Relay(in.name("job"), in.i64("seed"), rank(in), rank(in));
        };
        in.end();
        return message;
    }

    private static ControlMessage.Announce announce(FieldReader in) {
        String job = in.name("job");
        int rank = rank(in);
        int size = in.between("size", 1, Topology.MAX_NODES);
        @Nullable String cluster = cluster(in);
        return new ControlMessage.Announce(
                job,
                rank,
                size,
                cluster,
                nameLine(in, "host"),
                in.natural("processId"),
                addresses(in),
                in.u16("dataPort"),
                in.text("settings", WireLimits.MAX_TEXT_BYTES));
    }

    private static ControlMessage.Roster roster(FieldReader in) {
        long seed = in.i64("seed");
        int count = in.count("members", 1, Topology.MAX_NODES, SMALLEST_MEMBER_BYTES);
        ImmutableList.Builder<ControlMessage.Member> members = ImmutableList.builderWithExpectedSize(count);
        for (int rank = 0; rank < count; rank++) {
            members.add(member(in));
        }
        return new ControlMessage.Roster(seed, members.build());
    }

    private static ControlMessage.Progress progress(FieldReader in) {
        String phase = nameLine(in, "phase");
        long bytesDone = in.natural("bytesDone");
        long bytesTotal = in.natural("bytesTotal");
        int count = in.count("clusters", 0, Topology.MAX_NODES, Integer.BYTES + Long.BYTES);
        ImmutableSortedMap.Builder<Integer, Long> received = ImmutableSortedMap.naturalOrder();
        int least = 0;
        for (int i = 0; i < count; i++) {
            int cluster = in.between("cluster", least, Topology.MAX_NODES - 1);
            received.put(cluster, in.natural("bytes"));
            least = cluster + 1;
        }
        return new ControlMessage.Progress(phase, bytesDone, bytesTotal, received.build());
    }

    private static ControlMessage.Fail fail(FieldReader in) {
        int code = in.i32("code");
        int count = in.count("ranks", 0, Topology.MAX_NODES, Integer.BYTES);
        ImmutableList.Builder<Integer> ranks = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            ranks.add(rank(in));
        }
        return new ControlMessage.Fail(code, ranks.build(), nameLine(in, "phase"), line(in, "text"));
    }

    private static ControlMessage.Member member(FieldReader in) {
        return new ControlMessage.Member(
                nameLine(in, "cluster"),
                nameLine(in, "host"),
                in.natural("processId"),
                addresses(in),
                in.u16("dataPort"));
    }

    private static @Nullable String cluster(FieldReader in) {
        return in.flag("has a cluster") ? nameLine(in, "cluster") : null;
    }

    private static ImmutableList<String> addresses(FieldReader in) {
        int count = in.u8("addresses");
        if (count > ControlMessage.MAX_ADDRESSES) {
            throw in.error(
                    WireError.OUT_OF_RANGE, "addresses: " + count + " of at most " + ControlMessage.MAX_ADDRESSES);
        }
        ImmutableList.Builder<String> addresses = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            addresses.add(in.name("dataAddress"));
        }
        return addresses.build();
    }

    private static int rank(FieldReader in) {
        return in.between("rank", 0, Topology.MAX_NODES - 1);
    }

    private static String nameLine(FieldReader in, String field) {
        return in.line(field, WireLimits.MAX_NAME_BYTES);
    }

    private static String line(FieldReader in, String field) {
        return in.line(field, WireLimits.MAX_TEXT_BYTES);
    }
}
