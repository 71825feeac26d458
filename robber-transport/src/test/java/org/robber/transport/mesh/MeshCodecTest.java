package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeetingNode;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.protocol.MessageType;
import org.robber.core.topology.Topology;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.FrameParsers;
import org.robber.core.wire.Golden;
import org.robber.core.wire.Mutants;
import org.robber.core.wire.ProtocolDocument;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.core.wire.WireLimits;
import org.robber.transport.control.ControlType;

class MeshCodecTest {
    private static final byte[] INCOMPLETE = {};

    @Test
    void theDocumentHasTheirCodesAndLimits() {
        assertThat(ProtocolDocument.read().rows("Mesh"))
                .containsExactlyElementsOf(Stream.of(MeshType.values())
                        .map(type -> ProtocolDocument.row(type.name(), type.code(), type.maxFrameBytes()))
                        .toList());
    }

    static List<Golden<MeshMessage>> messages() {
        return GoldenMesh.MESSAGES;
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesGoldenBytes(Golden<MeshMessage> golden) {
        assertThat(Golden.hex(MeshCodec.encode(golden.value())))
                .isEqualTo(golden.hex().replace(" ", ""));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsGoldenBytes(Golden<MeshMessage> golden) {
        ByteBuffer frame = ByteBuffer.wrap(golden.bytes());
        assertThat(MeshCodec.payloadBytes(frame.getInt(), frame.get())).isEqualTo(golden.payload().length);
        assertThat(MeshCodec.decode(golden.typeCode(), frame))
                .usingRecursiveComparison()
                .isEqualTo(golden.value());
        assertThat(frame.hasRemaining()).isFalse();
    }

    @Test
    void everyMessageHasItsTypeAndItsGoldenBytes() {
        assertThat(GoldenMesh.MESSAGES.stream()
                        .map(golden -> MeshType.of(golden.value()))
                        .distinct())
                .containsExactlyInAnyOrder(MeshType.values());
        assertThat(GoldenMesh.MESSAGES)
                .allMatch(golden ->
                        golden.typeCode() == MeshType.of(golden.value()).code());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsCutShortIsRefused(Golden<MeshMessage> golden) {
        for (int length = 0; length < golden.payload().length; length++) {
            assertRefused(WireError.TRUNCATED, golden.typeCode(), Arrays.copyOf(golden.payload(), length));
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void nothingMayFollowTheMessage(Golden<MeshMessage> golden) {
        byte[] longer = Arrays.copyOf(golden.payload(), golden.payload().length + 1);
        assertRefused(WireError.TRAILING, golden.typeCode(), longer);
    }

    @ParameterizedTest
    @EnumSource(MeshType.class)
    void noFrameIsLongerThanItsTypeMayBe(MeshType type) {
        int longest = type.maxFrameBytes() - FrameHead.LENGTH_FIELD_BYTES;
        assertThat(MeshCodec.payloadBytes(longest, type.code())).isEqualTo(longest - 1);
        for (int length : new int[] {longest + 1, Integer.MAX_VALUE, -1}) {
            assertThatThrownBy(() -> MeshCodec.payloadBytes(length, type.code()))
                    .isInstanceOfSatisfying(
                            WireException.class, e -> assertThat(e.error()).isEqualTo(WireError.OVERSIZED));
        }
    }

    @Test
    void noOtherMessageHasTheirCodes() {
        assertThat(Stream.of(MeshType.values()).map(MeshType::code))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(
                        Stream.of(MessageType.values()).map(MessageType::code).toList())
                .doesNotContainAnyElementsOf(
                        Stream.of(ControlType.values()).map(ControlType::code).toList());
        assertRefused(WireError.UNKNOWN_TYPE, 1, new byte[0]);
        assertThatThrownBy(() -> MeshCodec.payloadBytes(1, 96)).isInstanceOf(WireException.class);
    }

    @Test
    void theLargestBundleFits() {
        List<byte[]> payloads = new ArrayList<>(Collections.nCopies(Topology.MAX_NODES, new byte[0]));
        payloads.set(1, new byte[MeetingNode.MOST_BYTES]);
        String call = "c".repeat(WireLimits.MAX_NAME_BYTES);

        assertThat(MeshCodec.encode(new Bundle(new MeetingKey(1, Long.MAX_VALUE), call, payloads))
                        .remaining())
                .isEqualTo(MeshType.BUNDLE.maxFrameBytes());
    }

    @ParameterizedTest(name = "{0} {2}: {3}")
    @CsvSource({
        "BUNDLE, OUT_OF_RANGE, 0000000000000000 FFFFFFFFFFFFFFFF 0000 00000000, negative number",
        "BUNDLE, OUT_OF_RANGE, 0000000000000000 0000000000000000 0000 000186A1, more payloads than nodes",
        "BUNDLE, TRUNCATED, 0000000000000000 0000000000000000 0000 00000002 00000000, fewer payloads than it says",
        "BUNDLE, OUT_OF_RANGE, 0000000000000000 0000000000000000 0000 00000001 00100001, payload too long",
        "PERSONAL, OUT_OF_RANGE, 0000000000000000 0000000000000000 0000 00100001, payload too long",
        "PERSONAL, TRUNCATED, 0000000000000000 0000000000000000 0000 00000009 00, fewer bytes than it says",
        "BEGUN, OVERSIZED, 0000000000000000 0000000000000000 0401, call too long",
        "BEGUN, BAD_TEXT, 0000000000000000 0000000000000000 0001 FF, no UTF-8",
        "RECEIVED, OUT_OF_RANGE, FFFFFFFFFFFFFFFF, negative count"
    })
    void wrongFieldsAreRefused(MeshType type, WireError error, String hex, String why) {
        assertThat(why).isNotEmpty();
        assertRefused(error, type.code(), Golden.bytes(hex + " 00000000"));
    }

    private static void assertRefused(WireError error, int typeCode, byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        assertThatThrownBy(() -> MeshCodec.decode(typeCode, in))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.error()).isEqualTo(error));
        assertThat(in.position()).isZero();
    }

    @Test
    void goldenMessagesWithDamage() {
        Mutants.assertOnlyWireExceptions(MeshCodecTest::reencode, Mutants.frames(GoldenMesh.MESSAGES));
    }

    @FuzzTest(maxDuration = "1m")
    void mesh(byte[] frame) {
        FrameParsers.accepts(MeshCodecTest::reencode, frame);
    }

    /** Reads a frame the way a reader does, and writes down again what it understood; empty if the frame isn't all there. */
    private static byte[] reencode(byte[] frame) {
        if (frame.length < FrameHead.BYTES) {
            return INCOMPLETE;
        }
        ByteBuffer in = ByteBuffer.wrap(frame);
        int lengthField = in.getInt();
        int typeCode = Byte.toUnsignedInt(in.get());
        int payloadBytes = MeshCodec.payloadBytes(lengthField, typeCode);
        if (in.remaining() < payloadBytes) {
            return INCOMPLETE;
        }
        ByteBuffer again = MeshCodec.encode(MeshCodec.decode(typeCode, in.limit(in.position() + payloadBytes)));
        byte[] bytes = new byte[again.remaining()];
        again.get(bytes);
        return bytes;
    }
}
