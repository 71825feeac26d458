package org.robber.transport.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.protocol.MessageType;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.Golden;
import org.robber.core.wire.ProtocolDocument;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.core.wire.WireLimits;

class ControlCodecTest {

    @Test
    void theDocumentHasTheirCodesAndLimits() {
        assertThat(ProtocolDocument.read().rows("Control connection"))
                .containsExactlyElementsOf(Stream.of(ControlType.values())
                        .map(type -> ProtocolDocument.row(type.name(), type.code(), type.maxFrameBytes()))
                        .toList());
    }

    static List<Golden<ControlMessage>> messages() {
        return GoldenControl.MESSAGES;
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesGoldenBytes(Golden<ControlMessage> golden) {
        assertThat(Golden.hex(ControlCodec.encode(golden.value())))
                .isEqualTo(golden.hex().replace(" ", ""));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsGoldenBytes(Golden<ControlMessage> golden) {
        ByteBuffer frame = ByteBuffer.wrap(golden.bytes());
        assertThat(ControlCodec.payloadBytes(frame.getInt(), frame.get())).isEqualTo(golden.payload().length);
        assertThat(ControlCodec.decode(golden.typeCode(), frame))
                .usingRecursiveComparison()
                .isEqualTo(golden.value());
        assertThat(frame.hasRemaining()).isFalse();
    }

    @Test
    void everyMessageHasItsTypeAndItsGoldenBytes() {
        assertThat(Golden.classes(GoldenControl.MESSAGES))
                .containsExactlyInAnyOrder(ControlMessage.class.getPermittedSubclasses());
        assertThat(GoldenControl.MESSAGES.stream()
                        .map(golden -> ControlType.of(golden.value()))
                        .distinct())
                .containsExactlyInAnyOrder(ControlType.values());
        assertThat(GoldenControl.MESSAGES)
                .allMatch(golden ->
                        golden.typeCode() == ControlType.of(golden.value()).code());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsCutShortIsRefused(Golden<ControlMessage> golden) {
        for (int length = 0; length < golden.payload().length; length++) {
            assertRefused(WireError.TRUNCATED, golden.typeCode(), Arrays.copyOf(golden.payload(), length));
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void nothingMayFollowTheMessage(Golden<ControlMessage> golden) {
        byte[] longer = Arrays.copyOf(golden.payload(), golden.payload().length + 1);
        assertRefused(WireError.TRAILING, golden.typeCode(), longer);
    }

    @ParameterizedTest
    @EnumSource(ControlType.class)
    void noFrameIsLongerThanItsTypeMayBe(ControlType type) {
        int longest = type.maxFrameBytes() - FrameHead.LENGTH_FIELD_BYTES;
        assertThat(ControlCodec.payloadBytes(longest, type.code())).isEqualTo(longest - 1);
        for (int length : new int[] {longest + 1, Integer.MAX_VALUE, -1}) {
            assertThatThrownBy(() -> ControlCodec.payloadBytes(length, type.code()))
                    .isInstanceOfSatisfying(
                            WireException.class, e -> assertThat(e.error()).isEqualTo(WireError.OVERSIZED));
        }
    }

    @Test
    void unknownTypesAndThoseOfPeersAreRefused() {
        List<Integer> known =
                Stream.of(ControlType.values()).map(ControlType::code).toList();
        assertThat(known)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(
                        Stream.of(MessageType.values()).map(MessageType::code).toList());
        IntStream.rangeClosed(-1, 256).filter(code -> !known.contains(code)).forEach(code -> {
            assertRefused(WireError.UNKNOWN_TYPE, code, new byte[0]);
            assertThatThrownBy(() -> ControlCodec.payloadBytes(1, code)).isInstanceOf(WireException.class);
        });
    }

    @ParameterizedTest(name = "{0} {2}: {3}")
    @CsvSource({
        "ANNOUNCE, OUT_OF_RANGE, 0000 FFFFFFFF, negative rank",
        "ANNOUNCE, OUT_OF_RANGE, 0000 000186A0, rank beyond all nodes",
        "ANNOUNCE, OUT_OF_RANGE, 0000 00000000 00000000, job of nobody",
        "ANNOUNCE, OUT_OF_RANGE, 0000 00000000 000186A1, too many nodes",
        "ANNOUNCE, MALFORMED, 0000 00000000 00000001 02, neither with nor without a cluster",
        "ANNOUNCE, OVERSIZED, 0401, name too long",
        "ANNOUNCE, BAD_TEXT, 0001 80, not UTF-8",
        "ROSTER, OUT_OF_RANGE, 0000000000000000 00000000, roster of nobody",
        "ROSTER, OUT_OF_RANGE, 0000000000000000 FFFFFFFF, negative count",
        "ROSTER, OUT_OF_RANGE, 0000000000000000 000186A1, too many nodes",
        "ROSTER, TRUNCATED, 0000000000000000 000186A0 00, far more nodes than bytes",
        "CALL, OUT_OF_RANGE, 8000000000000000, negative number",
        "ARRIVE, OUT_OF_RANGE, 0000000000000000 00100001, payload too long",
        "ARRIVE, OUT_OF_RANGE, 0000000000000000 FFFFFFFF, negative length",
        "PROGRESS, OUT_OF_RANGE, 0000 FFFFFFFFFFFFFFFF, negative bytes",
        "FAIL, OUT_OF_RANGE, 00000000 000186A1, too many ranks",
        "FAIL, TRUNCATED, 00000000 000186A0, far more ranks than bytes",
        "FAIL, OUT_OF_RANGE, 00000000 00000001 FFFFFFFF, negative rank",
        "FAIL, OVERSIZED, 00000000 00000000 0000 2001, text too long",
        "REFUSE, OVERSIZED, 00000000 FFFF, text too long",
        "DATA_HELLO, OUT_OF_RANGE, 0000 0000000000000000 0000000000000000 000186A0, rank beyond all nodes",
        "LOST, OUT_OF_RANGE, 000186A0, rank beyond all nodes",
        "LOST, OVERSIZED, 00000000 00000000 0000 2001, text too long",
        "JOIN, MALFORMED, 0000 02, neither with nor without a cluster",
        "ADMIT, OUT_OF_RANGE, 00000000, job of nobody",
        "ADMIT, OUT_OF_RANGE, 000186A1, too many nodes",
        "ADMIT, OUT_OF_RANGE, 00000001 FFFFFFFF, negative channel",
        "ADMIT, OUT_OF_RANGE, 00000001 00000000 0000000000000000 000186A0, root beyond all nodes",
        "ADMIT, OUT_OF_RANGE, 00000001 00000000 0000000000000000 00000000 0000000000000000 00000000, pieces of nothing",
        "JOINED, OUT_OF_RANGE, 000186A0, rank beyond all nodes",
        "JOIN, OUT_OF_RANGE, 0000 00 0000 0000000000000000 09, too many addresses",
        "CALL_BACK, OUT_OF_RANGE, 00000000 FFFFFFFF, negative rank",
        "BACK_HELLO, OUT_OF_RANGE, 0000 0000000000000000 000186A0, rank beyond all nodes",
        "RELAY, OUT_OF_RANGE, 0000 0000000000000000 00000000 000186A0, rank beyond all nodes",
    })
    void whatIsOutOfRangeIsRefused(ControlType type, WireError error, String payload, String why) {
        assertThat(why).isNotEmpty();
        assertRefused(error, type.code(), Golden.bytes(payload));
    }

    static List<ControlMessage> impossibleMessages() {
        String longName = "n".repeat(WireLimits.MAX_NAME_BYTES + 1);
        byte[] longPayload = new byte[WireLimits.MAX_PAYLOAD_BYTES + 1];
        return List.of(
                new ControlMessage.Announce("", -1, 1, null, "", 0, ImmutableList.of(), 0, ""),
                new ControlMessage.Announce("", 0, 0, null, "", 0, ImmutableList.of(), 0, ""),
                new ControlMessage.Announce("", 0, 1, longName, "", 0, ImmutableList.of(), 0, ""),
                new ControlMessage.Announce("", 0, 1, null, "", -1, ImmutableList.of(), 0, ""),
                new ControlMessage.Announce("", 0, 1, null, "", 0, ImmutableList.of(), 65536, ""),
                new ControlMessage.Announce(
                        "", 0, 1, null, "", 0, ImmutableList.of(), 0, "s".repeat(WireLimits.MAX_TEXT_BYTES + 1)),
                new ControlMessage.Roster(0, ImmutableList.of()),
                new ControlMessage.Roster(0, members(Topology.MAX_NODES + 1, "")),
                new ControlMessage.Roster(0, members(20_000, "n".repeat(WireLimits.MAX_NAME_BYTES))),
                new ControlMessage.Call(-1, ""),
                new ControlMessage.Call(0, longName),
                new ControlMessage.Call(0, "half \uDFFF"),
                new ControlMessage.Arrive(0, longPayload),
                new ControlMessage.Release(-1, new byte[0]),
                new ControlMessage.Publish(0, "", longPayload),
                new ControlMessage.Progress("", -1, 0),
                new ControlMessage.Progress("", 0, 0, ImmutableSortedMap.of(-1, 0L)),
                new ControlMessage.Progress("", 0, 0, ImmutableSortedMap.of(0, -1L)),
                new ControlMessage.Fail(0, ImmutableList.of(-1), "", ""),
                new ControlMessage.DataHello("", 0, 0, -1, 0),
                new ControlMessage.DataHello("", 0, 0, 0, -1),
                new ControlMessage.CallBack(0, -1, 0),
                new ControlMessage.BackHello("", 0, -1, 0),
                new ControlMessage.Relay("", 0, 0, Topology.MAX_NODES),
                new ControlMessage.Lost(-1, 0, "", ""),
                new ControlMessage.Join("", longName, "", 0, ImmutableList.of(), 0),
                new ControlMessage.Join("", "", "", 0, addresses(ControlMessage.MAX_ADDRESSES + 1, ""), 0),
                new ControlMessage.Admit(0, 0, 0, 0, 0, 1, "", "", 0),
                new ControlMessage.Admit(1, 0, 0, 0, 0, 0, "", "", 0),
                new ControlMessage.Admit(1, 0, 0, 0, 0, 1, "", "", -1),
                new ControlMessage.Joined(-1, new ControlMessage.Member("", "", 0, "", 0)));
    }

    @ParameterizedTest
    @MethodSource("impossibleMessages")
    void whatAReceiverWouldRefuseIsNotSent(ControlMessage message) {
        assertThatThrownBy(() -> ControlCodec.encode(message)).isInstanceOf(IllegalArgumentException.class);
    }

    static List<ControlMessage> longestMessages() {
        String name = "n".repeat(WireLimits.MAX_NAME_BYTES);
        String text = "t".repeat(WireLimits.MAX_TEXT_BYTES);
        byte[] payload = new byte[WireLimits.MAX_PAYLOAD_BYTES];
        ImmutableList<String> most = addresses(ControlMessage.MAX_ADDRESSES, name);
        return List.of(
                new ControlMessage.Announce(name, 99_999, 100_000, name, name, Long.MAX_VALUE, most, 65535, text),
                new ControlMessage.Refuse(-1, text),
                new ControlMessage.Call(Long.MAX_VALUE, name),
                new ControlMessage.Arrive(0, payload),
                new ControlMessage.Release(0, payload),
                new ControlMessage.Publish(99_999, name, payload),
                new ControlMessage.Progress(
                        name,
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        IntStream.range(0, Topology.MAX_NODES)
                                .boxed()
                                .collect(ImmutableSortedMap.toImmutableSortedMap(
                                        Comparator.naturalOrder(), cluster -> cluster, cluster -> Long.MAX_VALUE))),
                new ControlMessage.Fail(
                        -1, ImmutableList.copyOf(Collections.nCopies(Topology.MAX_NODES, 99_999)), name, text),
                new ControlMessage.Goodbye(),
                new ControlMessage.Alive(),
                new ControlMessage.DataHello(name, -1, -1, 99_999, 99_999),
                new ControlMessage.CallBack(99_999, 99_999, -1),
                new ControlMessage.BackHello(name, -1, 99_999, -1),
                new ControlMessage.Relay(name, -1, 99_999, 99_999),
                new ControlMessage.Lost(99_999, -1, name, text),
                new ControlMessage.Join(name, name, name, Long.MAX_VALUE, most, 65535),
                new ControlMessage.Admit(
                        100_000,
                        Integer.MAX_VALUE,
                        Long.MAX_VALUE,
                        99_999,
                        Long.MAX_VALUE,
                        Integer.MAX_VALUE,
                        name,
                        name,
                        Integer.MAX_VALUE),
                new ControlMessage.Joined(99_999, new ControlMessage.Member(name, name, Long.MAX_VALUE, most, 65535)));
    }

    @ParameterizedTest
    @MethodSource("longestMessages")
    void theLimitIsTheLongestMessage(ControlMessage message) {
        ByteBuffer frame = ControlCodec.encode(message);
        assertThat(frame.remaining()).isEqualTo(ControlType.of(message).maxFrameBytes());
        assertThat(ControlCodec.encode(decode(frame.duplicate()))).isEqualTo(frame);
    }

    @Test
    void aRosterOfAHundredThousandNodesFits() {
        ControlMessage.Roster roster =
                new ControlMessage.Roster(1, members(Topology.MAX_NODES, "node-0123456789.cluster"));
        assertThat(decode(ControlCodec.encode(roster))).isEqualTo(roster);
    }

    @Test
    void textsForPeopleAreCut() {
        String text = "ß".repeat(WireLimits.MAX_TEXT_BYTES);
        assertThat(decode(ControlCodec.encode(new ControlMessage.Refuse(1, text))))
                .isEqualTo(new ControlMessage.Refuse(1, "ß".repeat(WireLimits.MAX_TEXT_BYTES / 2)));
        assertThat(decode(ControlCodec.encode(new ControlMessage.Refuse(1, "half \uD800"))))
                .isEqualTo(new ControlMessage.Refuse(1, "half ?"));
    }

    /** Terminals obey them. */
    @Test
    void textsForPeopleHaveNoControlCharacters() {
        String evil = "a\u001b[2J\r\u009bb";
        String shown = "a?[2J ?b";
        assertThat(decode(ControlCodec.encode(new ControlMessage.Joined(
                        1, new ControlMessage.Member(evil, evil, 1, ImmutableList.of("127.0.0.1"), 1)))))
                .isEqualTo(new ControlMessage.Joined(
                        1, new ControlMessage.Member(shown, shown, 1, ImmutableList.of("127.0.0.1"), 1)));
        assertThat(decode(ControlCodec.encode(new ControlMessage.Lost(1, 5, evil, evil))))
                .isEqualTo(new ControlMessage.Lost(1, 5, shown, shown));
    }

    private static ImmutableList<ControlMessage.Member> members(int count, String host) {
        return ImmutableList.copyOf(
                Collections.nCopies(count, new ControlMessage.Member("A", host, 12345, "192.168.100.200", 40000)));
    }

    private static ImmutableList<String> addresses(int count, String address) {
        return ImmutableList.copyOf(Collections.nCopies(count, address));
    }

    private static ControlMessage decode(ByteBuffer frame) {
        int lengthField = frame.getInt();
        int typeCode = frame.get();
        assertThat(ControlCodec.payloadBytes(lengthField, typeCode)).isEqualTo(frame.remaining());
        return ControlCodec.decode(typeCode, frame);
    }

    private static void assertRefused(WireError error, int typeCode, byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        assertThatThrownBy(() -> ControlCodec.decode(typeCode, in))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.error()).isEqualTo(error));
        assertThat(in.position()).isZero();
    }
}
