package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.robber.core.wire.Golden.CODEC;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;

class MessageCodecTest {

    private static final byte[] BLOCK = Golden.bytes("B10CB10C");

    static List<Golden<Message>> messages() {
        return Golden.MESSAGES;
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesGoldenBytes(Golden<Message> golden) {
        ByteBuffer frame = ByteBuffer.allocate(CODEC.encodedBytes(golden.value()));
        CODEC.encode(golden.value(), frame);
        assertThat(frame.hasRemaining()).isFalse();
        assertThat(Golden.hex(frame.flip())).isEqualTo(golden.hex().replace(" ", ""));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsGoldenBytes(Golden<Message> golden) {
        byte[] payload = payloadWithBlock(golden);
        ByteBuffer frame = ByteBuffer.wrap(golden.bytes());
        assertThat(CODEC.payloadBytes(frame.getInt(), frame.get())).isEqualTo(payload.length);

        ByteBuffer in = ByteBuffer.wrap(payload);
        assertThat(CODEC.decode(golden.typeCode(), in))
                .usingRecursiveComparison()
                .isEqualTo(golden.value());
        assertThat(in.remaining()).isEqualTo(payload.length - golden.payload().length);
    }

    @Test
    void everyMessageHasItsTypeAndItsGoldenBytes() {
        assertThat(Golden.classes(Golden.MESSAGES)).containsExactlyInAnyOrder(Message.class.getPermittedSubclasses());
        assertThat(Golden.MESSAGES.stream().map(golden -> golden.value().type()))
                .containsExactlyInAnyOrder(MessageType.values());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsCutShortIsNotTheMessage(Golden<Message> golden) {
        for (int length = 0; length < golden.payload().length; length++) {
            byte[] cut = Arrays.copyOf(golden.payload(), length);
            if (golden.value() instanceof Message.Desire && length == 5) {
                // Ranges end with the frame: without its only pair, this is a complete, empty set.
                assertThat(CODEC.decode(golden.typeCode(), ByteBuffer.wrap(cut)))
                        .isEqualTo(new Message.Desire(PieceSet.empty(10)));
            } else {
                assertRefused(WireError.TRUNCATED, golden.typeCode(), cut);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void nothingMayFollowTheMessage(Golden<Message> golden) {
        byte[] longer = Arrays.copyOf(payloadWithBlock(golden), payloadWithBlock(golden).length + 1);
        WireError error = switch (golden.value().type()) {
            case BITFIELD, DESIRE -> WireError.OVERSIZED;
            case WORK -> WireError.TRUNCATED; // half a pair
            case PIECE -> WireError.OUT_OF_RANGE; // a block that ends beyond its piece
            default -> WireError.TRAILING;
        };
        assertRefused(error, golden.typeCode(), longer);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void noFrameIsLongerThanItsTypeMayBe(MessageType type) {
        int longest = CODEC.maxFrameBytes(type.code()) - FrameHead.LENGTH_FIELD_BYTES;
        assertThat(CODEC.payloadBytes(longest, type.code())).isEqualTo(longest - 1);
        for (int length : new int[] {longest + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            assertThatThrownBy(() -> CODEC.payloadBytes(length, type.code()))
                    .isInstanceOfSatisfying(
                            WireException.class, e -> assertThat(e.error()).isEqualTo(WireError.OVERSIZED))
                    .hasMessageContaining(type + ": frame of " + (Integer.toUnsignedLong(length) + 4) + " bytes");
        }
        assertThatThrownBy(() -> CODEC.payloadBytes(0, type.code())).isInstanceOf(WireException.class);
    }

    @Test
    void unknownTypesAreRefused() {
        List<Integer> known =
                Stream.of(MessageType.values()).map(MessageType::code).toList();
        assertThat(known).doesNotHaveDuplicates().allMatch(code -> code >= 1 && code <= 63);
        IntStream.rangeClosed(-1, 256).filter(code -> !known.contains(code)).forEach(code -> {
            assertRefused(WireError.UNKNOWN_TYPE, code, new byte[0]);
            assertThatThrownBy(() -> CODEC.maxFrameBytes(code)).isInstanceOf(WireException.class);
            assertThatThrownBy(() -> CODEC.payloadBytes(1, code)).isInstanceOf(WireException.class);
        });
    }

    @ParameterizedTest(name = "{0} {2}: {3}")
    @CsvSource({
        "HAVE, OUT_OF_RANGE, 0000000A, piece 10 of 10",
        "HAVE, OUT_OF_RANGE, FFFFFFFF, negative",
        "REQUEST, OUT_OF_RANGE, 7FFFFFFF, far beyond",
        "REJECT, OUT_OF_RANGE, 0000000A, piece 10 of 10",
        "CANCEL, OUT_OF_RANGE, 0000000A, piece 10 of 10",
        "STEAL, OUT_OF_RANGE, 0000000B, more than there are",
        "STEAL, OUT_OF_RANGE, FFFFFFFF, negative",
        "PIECE, OUT_OF_RANGE, 0000000A 00000000 00000000 04 DEADBEEF 01, piece 10 of 10",
        "PIECE, OUT_OF_RANGE, 00000000 0000000A 00000000 04 DEADBEEF 01, block behind its piece",
        "PIECE, OUT_OF_RANGE, 00000000 7FFFFFFF 00000000 04 DEADBEEF 01, the sum is no int",
        "PIECE, OUT_OF_RANGE, 00000000 FFFFFFFF 00000000 04 DEADBEEF 01, negative offset",
        "PIECE, OUT_OF_RANGE, 00000000 00000000 FFFFFFFF 04 DEADBEEF 01, fewer than none wait",
        "PIECE, MALFORMED, 00000000 00000000 00000000 03 DEADBE 01, digest too short",
        "PIECE, MALFORMED, 00000000 00000000 00000000 FF DEADBEEF 01, digest too long",
        "PIECE, TRUNCATED, 00000000 00000000 00000000 04 DEADBEEF, no block",
        "BEGIN, OUT_OF_RANGE, FFFFFFFFFFFFFFFF 00000000 0000000000000000 00000001 0000 0000, negative sequence",
        "BEGIN, OUT_OF_RANGE, 0000000000000000 000186A0 0000000000000000 00000001 0000 0000, root beyond all nodes",
        "BEGIN, OUT_OF_RANGE, 0000000000000000 00000000 8000000000000000 00000001 0000 0000, negative size",
        "BEGIN, OUT_OF_RANGE, 0000000000000000 00000000 0000000000000000 00000000 0000 0000, pieces of nothing",
        "BEGIN, OUT_OF_RANGE, 0000000000000000 00000000 0000000001000001 00000001 0000 0000, too many pieces",
        "BEGIN, OVERSIZED, 0000000000000000 00000000 0000000000000000 00000001 0401 0000, name too long",
        "BEGIN, BAD_TEXT, 0000000000000000 00000000 0000000000000000 00000001 0001 FF 0000, not UTF-8",
        "ABORT, OVERSIZED, 00000000 2001, text too long",
        "ABORT, BAD_TEXT, 00000000 0002 C080, UTF-8 that is longer than needed",
        "ABORT, BAD_TEXT, 00000000 0003 EDA080, half of a surrogate pair",
        "DESIRE, MALFORMED, 02 0000000A, form that does not exist",
        "DESIRE, WRONG_CAPACITY, 00 0000000B, another number of pieces",
        "DESIRE, WRONG_CAPACITY, 01 FFFFFFFF 00, another number of pieces",
    })
    void whatIsOutOfRangeIsRefused(MessageType type, WireError error, String payload, String why) {
        assertThat(why).isNotEmpty();
        assertRefused(error, type.code(), Golden.bytes(payload));
    }

    static List<Message> impossibleMessages() {
        byte[] digest = new byte[4];
        return List.of(
                new Message.Have(10),
                new Message.Request(-1),
                new Message.Steal(11, 0),
                new Message.Desire(PieceSet.empty(11)),
                new Message.PieceBlock(10, 0, 1, 0, digest),
                new Message.PieceBlock(0, 0, 0, 0, digest),
                new Message.PieceBlock(0, 0, 11, 0, digest),
                new Message.PieceBlock(0, -1, 1, 0, digest),
                new Message.PieceBlock(0, Integer.MAX_VALUE, 1, 0, digest),
                new Message.PieceBlock(0, 0, 1, -1, digest),
                new Message.PieceBlock(0, 0, 1, 0, new byte[5]),
                new Message.Begin(-1, 0, 0, 1, "", ""),
                new Message.Begin(0, -1, 0, 1, "", ""),
                new Message.Begin(0, 0, -1, 1, "", ""),
                new Message.Begin(0, 0, 0, 0, "", ""),
                new Message.Begin(0, 0, 0, 1, "x".repeat(1025), ""),
                new Message.Begin(0, 0, 0, 1, "half \uD800", ""));
    }

    @ParameterizedTest
    @MethodSource("impossibleMessages")
    void whatAReceiverWouldRefuseIsNotSent(Message message) {
        ByteBuffer target = ByteBuffer.allocate(4096);
        assertThatThrownBy(() -> CODEC.encode(message, target))
                .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
        assertThat(target.position()).isZero();
    }

    @Test
    void reasonsAreCutAtACharacter() {
        Message.Abort abort = new Message.Abort(1, "€".repeat(5000)); // 3 bytes each: 8,190 of 8,192 bytes are used
        ByteBuffer frame = ByteBuffer.allocate(CODEC.encodedBytes(abort));
        CODEC.encode(abort, frame);
        frame.flip().position(FrameHead.BYTES);
        assertThat(CODEC.decode(MessageType.ABORT.code(), frame)).isEqualTo(new Message.Abort(1, "€".repeat(2730)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void anyKindOfBufferWillDo(Golden<Message> golden) {
        ByteBuffer target =
                ByteBuffer.allocateDirect(200).order(ByteOrder.LITTLE_ENDIAN).position(17);
        CODEC.encode(golden.value(), target);
        int end = target.position();
        assertThat(Golden.hex(target.duplicate().limit(end).position(17)))
                .isEqualTo(golden.hex().replace(" ", ""));

        target.put(BLOCK);
        int payloadEnd = end + payloadWithBlock(golden).length - golden.payload().length;
        ByteBuffer payload = target.asReadOnlyBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(payloadEnd)
                .position(17 + FrameHead.BYTES);
        assertThat(CODEC.decode(golden.typeCode(), payload))
                .usingRecursiveComparison()
                .isEqualTo(golden.value());
        assertThat(payload.position()).isEqualTo(end);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aTargetThatIsTooSmallIsLeftAlone(Golden<Message> golden) {
        for (int room = 0; room < golden.bytes().length; room++) {
            ByteBuffer target = ByteBuffer.allocate(room);
            assertThatThrownBy(() -> CODEC.encode(golden.value(), target)).isInstanceOf(BufferOverflowException.class);
            assertThat(target.position()).isZero();
        }
    }

    @Test
    void aPieceIsReadWithoutItsBlock() {
        ByteBuffer head = ByteBuffer.allocate(24)
                .put(Golden.bytes("00000009 00000001 00000002 04 DEADBEEF"))
                .flip();
        Message.PieceBlock block = CODEC.decodePieceHead(CODEC.pieceHeadBytes() + 9, head);
        assertThat(block)
                .usingRecursiveComparison()
                .isEqualTo(new Message.PieceBlock(9, 1, 9, 2, Golden.bytes("DEADBEEF")));
        assertThat(head.hasRemaining()).isFalse();
    }

    @Test
    void theLastPieceIsAsShortAsItIs() {
        MessageCodec codec = new MessageCodec(new PieceLayout(95, 10), 0);
        byte[] head = Golden.bytes("00000009 00000000 00000000 00");
        assertThat(codec.decodePieceHead(head.length + 5, ByteBuffer.wrap(head)).lengthBytes())
                .isEqualTo(5);
        assertThatThrownBy(() -> codec.decodePieceHead(head.length + 6, ByteBuffer.wrap(head)))
                .isInstanceOf(WireException.class);
    }

    @Test
    void blocksHaveALimitWhateverThePiecesAre() {
        MessageCodec codec = new MessageCodec(new PieceLayout(1L << 32, 1 << 30), 16);
        assertThat(codec.maxFrameBytes(MessageType.PIECE.code()))
                .isEqualTo(FrameHead.BYTES + 13 + 16 + WireLimits.MAX_BLOCK_BYTES);
        Message.PieceBlock longer = new Message.PieceBlock(0, 0, WireLimits.MAX_BLOCK_BYTES + 1, 0, new byte[16]);
        assertThatThrownBy(() -> codec.encode(longer, ByteBuffer.allocate(100)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void betweenMulticastsThereAreNoPieces() {
        MessageCodec codec = MessageCodec.betweenMulticasts();
        for (Golden<Message> golden : Golden.MESSAGES) {
            switch (golden.value().type()) {
                case BEGIN, ABORT, KEEP_ALIVE, DONE, STOP, FOUND_WORK, CHOKE, UNCHOKE, INTERESTED, NOT_INTERESTED ->
                    assertThat(codec.decode(golden.typeCode(), ByteBuffer.wrap(golden.payload())))
                            .isEqualTo(golden.value());
                default ->
                    assertThatThrownBy(() -> codec.decode(golden.typeCode(), ByteBuffer.wrap(golden.payload())))
                            .isInstanceOf(WireException.class);
            }
        }
    }

    private static byte[] payloadWithBlock(Golden<Message> golden) {
        byte[] payload = golden.payload();
        if (golden.value() instanceof Message.PieceBlock) {
            byte[] whole = Arrays.copyOf(payload, payload.length + BLOCK.length);
            System.arraycopy(BLOCK, 0, whole, payload.length, BLOCK.length);
            return whole;
        }
        return payload;
    }

    private static void assertRefused(WireError error, int typeCode, byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        assertThatThrownBy(() -> CODEC.decode(typeCode, in))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.error()).isEqualTo(error));
        assertThat(in.position()).isZero();
    }
}
