package org.robber.transport.control;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FieldWriter;
import org.robber.core.wire.WireLimits;

/** Writes the payloads of control messages. What {@link ControlDecoder} would refuse is refused here, too. */
final class ControlEncoder {

    private ControlEncoder() {}

    static void encode(ControlMessage message, FieldWriter out) {
        switch (ControlType.of(message)) {
            case ANNOUNCE -> putAnnounce((ControlMessage.Announce) message, out);
            case ROSTER -> putRoster((ControlMessage.Roster) message, out);
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
                putRank(((ControlMessage.Publish) message).from(), out);
                out.name("topic", ((ControlMessage.Publish) message).topic());
                out.payload("payload", ((ControlMessage.Publish) message).payload());
            }
            case PROGRESS -> putProgress((ControlMessage.Progress) message, out);
            case FAIL -> putFail((ControlMessage.Fail) message, out);
            case GOODBYE, ALIVE -> {}
            case DATA_HELLO -> putDataHello((ControlMessage.DataHello) message, out);
            case LOST -> putLost((ControlMessage.Lost) message, out);
            case JOIN -> putJoin((ControlMessage.Join) message, out);
            case ADMIT -> putAdmit((ControlMessage.Admit) message, out);
            case MEASURE_ROUND_TRIP -> {
                ControlMessage.MeasureRoundTrip question = (ControlMessage.MeasureRoundTrip) message;
                out.between("round", question.round(), 0, Integer.MAX_VALUE);
                out.name("address", question.address());
                out.u16("port", question.port());
            }
            case ROUND_TRIP -> {
                out.between("round", ((ControlMessage.RoundTrip) message).round(), 0, Integer.MAX_VALUE);
                out.natural("micros", ((ControlMessage.RoundTrip) message).micros());
            }
            case JOINED -> {
                putRank(((ControlMessage.Joined) message).rank(), out);
                putMember(((ControlMessage.Joined) message).member(), out);
            }
            case CALL_BACK -> putCallBack((ControlMessage.CallBack) message, out);
            case BACK_HELLO -> putBackHello((ControlMessage.BackHello) message, out);
            case RELAY -> putRelay((ControlMessage.Relay) message, out);
        }
    }

    private static void putAnnounce(ControlMessage.Announce announce, FieldWriter out) {
        out.name("job", announce.job());
        putRank(announce.rank(), out);
        out.between("size", announce.size(), 1, Topology.MAX_NODES);
        putCluster(announce.cluster(), out);
        out.name("host", announce.host());
        out.natural("processId", announce.processId());
        putAddresses(announce.dataAddresses(), out);
        out.u16("dataPort", announce.dataPort());
        out.exactText("settings", announce.settings(), WireLimits.MAX_TEXT_BYTES);
    }

    private static void putRoster(ControlMessage.Roster roster, FieldWriter out) {
        out.i64(roster.seed());
        out.between("members", roster.members().size(), 1, Topology.MAX_NODES);
        roster.members().forEach(member -> putMember(member, out));
    }

    private static void putMember(ControlMessage.Member member, FieldWriter out) {
        out.name("cluster", member.cluster());
        out.name("host", member.host());
        out.natural("processId", member.processId());
        putAddresses(member.dataAddresses(), out);
        out.u16("dataPort", member.dataPort());
    }

    private static void putCluster(@Nullable String cluster, FieldWriter out) {
        out.u8(cluster == null ? 0 : 1);
        if (cluster != null) {
            out.name("cluster", cluster);
        }
    }

    private static void putProgress(ControlMessage.Progress progress, FieldWriter out) {
        out.name("phase", progress.phase());
        out.natural("bytesDone", progress.bytesDone());
        out.natural("bytesTotal", progress.bytesTotal());
        out.between("clusters", progress.received().size(), 0, Topology.MAX_NODES);
        progress.received().forEach((cluster, bytes) -> {
            out.between("cluster", cluster, 0, Topology.MAX_NODES - 1);
            out.natural("bytes", bytes);
        });
    }

    private static void putFail(ControlMessage.Fail fail, FieldWriter out) {
        out.i32(fail.code());
        out.between("ranks", fail.ranks().size(), 0, Topology.MAX_NODES);
        for (int rank : fail.ranks()) {
            putRank(rank, out);
        }
        out.name("phase", fail.phase());
        out.text(fail.text());
    }

    private static void putLost(ControlMessage.Lost lost, FieldWriter out) {
        putRank(lost.rank(), out);
        out.i32(lost.code());
        out.name("phase", lost.phase());
        out.text(lost.text());
    }

    private static void putDataHello(ControlMessage.DataHello hello, FieldWriter out) {
        out.name("job", hello.job());
        out.i64(hello.seed());
        out.i64(hello.channel());
        putRank(hello.rank(), out);
        putRank(hello.to(), out);
    }

    private static void putCallBack(ControlMessage.CallBack call, FieldWriter out) {
        putRank(call.from(), out);
        putRank(call.to(), out);
        out.i64(call.token());
    }

    private static void putBackHello(ControlMessage.BackHello hello, FieldWriter out) {
        out.name("job", hello.job());
        out.i64(hello.seed());
        putRank(hello.rank(), out);
        out.i64(hello.token());
    }

    private static void putRelay(ControlMessage.Relay relay, FieldWriter out) {
        out.name("job", relay.job());
        out.i64(relay.seed());
        putRank(relay.from(), out);
        putRank(relay.to(), out);
    }

    private static void putAddresses(ImmutableList<String> addresses, FieldWriter out) {
        if (addresses.size() > ControlMessage.MAX_ADDRESSES) {
            throw new IllegalArgumentException(addresses.size() + " addresses");
        }
        out.u8(addresses.size());
        addresses.forEach(address -> out.name("dataAddress", address));
    }

    private static void putRank(int rank, FieldWriter out) {
        out.between("rank", rank, 0, Topology.MAX_NODES - 1);
    }

    private static void putJoin(ControlMessage.Join join, FieldWriter out) {
        out.name("job", join.job());
        putCluster(join.cluster(), out);
        out.name("host", join.host());
        out.natural("processId", join.processId());
        putAddresses(join.dataAddresses(), out);
        out.u16("dataPort", join.dataPort());
    }

    private static void putAdmit(ControlMessage.Admit admit, FieldWriter out) {
        out.between("members", admit.members(), 1, Topology.MAX_NODES);
        out.between("channel", admit.channel(), 0, Integer.MAX_VALUE);
        out.natural("sequence", admit.sequence());
        putRank(admit.rootRank(), out);
        out.natural("totalBytes", admit.totalBytes());
        out.between("pieceBytes", admit.pieceBytes(), 1, Integer.MAX_VALUE);
        out.name("strategy", admit.strategy());
        out.name("digest", admit.digest());
        out.between("descriptionBytes", admit.descriptionBytes(), 0, Integer.MAX_VALUE);
    }
}
