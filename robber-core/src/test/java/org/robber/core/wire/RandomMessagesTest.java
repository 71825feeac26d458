package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;

/** Random messages come back as they were sent, and none is longer than its type may be. */
class RandomMessagesTest {

    /** Code points of 1 to 4 bytes in UTF-8. */
    private static final int[] CHARACTERS = {0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF};

    @Test
    void messagesBetweenPeersComeBack() {
        SeededRuns.run(60, random -> {
            PieceLayout layout = new PieceLayout(1 + random.nextInt(5000), 1 + random.nextInt(50));
            MessageCodec codec = new MessageCodec(layout, random.nextInt(WireLimits.MAX_DIGEST_BYTES + 1));
            for (MessageType type : MessageType.values()) {
                assertComesBack(codec, message(type, layout, codec, random));
            }
        });
    }

    @Test
    void controlMessagesComeBack() {
        SeededRuns.run(60, random -> {
            for (ControlType type : ControlType.values()) {
                ControlMessage message = controlMessage(type, random);
                ByteBuffer frame = ControlCodec.encode(message);
                int payloadBytes = ControlCodec.payloadBytes(frame.getInt(), frame.get());
                assertThat(payloadBytes).isEqualTo(frame.remaining());
                assertThat(ControlCodec.decode(type.code(), frame))
                        .usingRecursiveComparison()
                        .isEqualTo(message);
            }
        });
    }

    private static void assertComesBack(MessageCodec codec, Message message) {
        int blockBytes = message instanceof Message.PieceBlock block ? block.lengthBytes() : 0;
        ByteBuffer frame = ByteBuffer.allocate(codec.encodedBytes(message) + blockBytes);
        codec.encode(message, frame);
        assertThat(frame.remaining()).isEqualTo(blockBytes);
        assertThat(frame.capacity())
                .isLessThanOrEqualTo(codec.maxFrameBytes(message.type().code()));
        frame.rewind();
        assertThat(codec.payloadBytes(frame.getInt(), frame.get())).isEqualTo(frame.remaining());
        assertThat(codec.decode(message.type().code(), frame))
                .usingRecursiveComparison()
                .isEqualTo(message);
        assertThat(frame.remaining()).isEqualTo(blockBytes);
    }

    private static Message message(MessageType type, PieceLayout layout, MessageCodec codec, SeededRandom random) {
        int piece = random.nextInt(layout.pieceCount());
        return switch (type) {
            case BITFIELD -> new Message.Bitfield(pieces(layout, random));
            case DESIRE -> new Message.Desire(pieces(layout, random));
            case WORK -> new Message.Work(pieces(layout, random));
            case HAVE -> new Message.Have(piece);
            case REQUEST -> new Message.Request(piece);
            case REJECT -> new Message.Reject(piece);
            case CANCEL -> new Message.Cancel(piece);
            case PIECE -> {
                int offsetBytes = random.nextInt(layout.lengthBytes(piece));
                int lengthBytes = 1 + random.nextInt(layout.lengthBytes(piece) - offsetBytes);
                int digestBytes = codec.pieceHeadBytes() - MessageCodec.pieceHeadBytes(0);
                yield new Message.PieceBlock(
                        piece, offsetBytes, lengthBytes, random.nextInt(1000), bytes(digestBytes, random));
            }
            case STEAL ->
                new Message.Steal(random.nextInt(layout.pieceCount() + 1), random.nextInt(layout.pieceCount() + 1));
            case FOUND_WORK -> new Message.FoundWork();
            case DONE -> new Message.Done();
            case STOP -> new Message.Stop();
            case BEGIN -> {
                int pieceBytes = 1 + random.nextInt(Integer.MAX_VALUE);
                long totalBytes = (long) pieceBytes * random.nextInt(PieceLayout.MAX_PIECES + 1);
                yield new Message.Begin(
                        natural(random), rank(random), totalBytes, pieceBytes, text(1024, random), text(1024, random));
            }
            case KEEP_ALIVE -> new Message.KeepAlive();
            case CHOKE -> new Message.Choke();
            case UNCHOKE -> new Message.Unchoke();
            case INTERESTED -> new Message.Interested();
            case NOT_INTERESTED -> new Message.NotInterested();
            case ABORT -> new Message.Abort((int) random.nextLong(), text(8192, random));
        };
    }

    private static ControlMessage controlMessage(ControlType type, SeededRandom random) {
        return switch (type) {
            case ANNOUNCE ->
                new ControlMessage.Announce(
                        text(1024, random),
                        rank(random),
                        1 + rank(random),
                        random.nextBoolean() ? text(1024, random) : null,
                        text(1024, random),
                        natural(random),
                        text(1024, random),
                        random.nextInt(65536),
                        text(8192, random));
            case ROSTER ->
                new ControlMessage.Roster(
                        random.nextLong(),
                        IntStream.rangeClosed(0, random.nextInt(20))
                                .mapToObj(rank -> member(random))
                                .collect(ImmutableList.toImmutableList()));
            case REFUSE -> new ControlMessage.Refuse((int) random.nextLong(), text(8192, random));
            case CALL -> new ControlMessage.Call(natural(random), text(1024, random));
            case ARRIVE -> new ControlMessage.Arrive(natural(random), bytes(random.nextInt(3000), random));
            case RELEASE -> new ControlMessage.Release(natural(random), bytes(random.nextInt(3000), random));
            case PUBLISH -> new ControlMessage.Publish(text(1024, random), bytes(random.nextInt(3000), random));
            case PROGRESS -> new ControlMessage.Progress(text(1024, random), natural(random), natural(random));
            case FAIL ->
                new ControlMessage.Fail(
                        (int) random.nextLong(),
                        IntStream.range(0, random.nextInt(20))
                                .mapToObj(i -> rank(random))
                                .collect(ImmutableList.toImmutableList()),
                        text(1024, random),
                        text(8192, random));
            case GOODBYE -> new ControlMessage.Goodbye();
            case ALIVE -> new ControlMessage.Alive();
            case DATA_HELLO ->
                new ControlMessage.DataHello(
                        text(1024, random), random.nextLong(), random.nextInt(Integer.MAX_VALUE), rank(random));
            case LOST ->
                new ControlMessage.Lost(rank(random), (int) random.nextLong(), text(1024, random), text(8192, random));
            case JOIN ->
                new ControlMessage.Join(
                        text(1024, random),
                        random.nextBoolean() ? text(1024, random) : null,
                        text(1024, random),
                        natural(random));
            case ADMIT ->
                new ControlMessage.Admit(
                        1 + rank(random),
                        random.nextInt(Integer.MAX_VALUE),
                        natural(random),
                        rank(random),
                        natural(random),
                        1 + random.nextInt(Integer.MAX_VALUE),
                        text(1024, random),
                        text(1024, random),
                        random.nextInt(Integer.MAX_VALUE));
            case JOINED -> new ControlMessage.Joined(rank(random), member(random));
        };
    }

    private static ControlMessage.Member member(SeededRandom random) {
        return new ControlMessage.Member(
                text(100, random), text(100, random), natural(random), text(100, random), random.nextInt(65536));
    }

    private static PieceSet pieces(PieceLayout layout, SeededRandom random) {
        PieceSet set = PieceSet.empty(layout.pieceCount());
        for (int ranges = random.nextInt(30); ranges > 0; ranges--) {
            int from = random.nextInt(layout.pieceCount());
            set.addRange(from, from + 1 + random.nextInt(layout.pieceCount() - from));
            if (random.nextBoolean()) {
                set.removeAll(PieceSet.range(layout.pieceCount(), from / 2, from));
            }
        }
        return set;
    }

    private static String text(int maxBytes, SeededRandom random) {
        int[] characters = IntStream.range(0, random.nextInt(random.nextInt(8) == 0 ? maxBytes / 4 + 1 : 10))
                .map(i -> CHARACTERS[random.nextInt(CHARACTERS.length)])
                .toArray();
        return new String(characters, 0, characters.length);
    }

    private static byte[] bytes(int length, SeededRandom random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static long natural(SeededRandom random) {
        return random.nextLong() >>> (1 + random.nextInt(63));
    }

    private static int rank(SeededRandom random) {
        return random.nextInt(Topology.MAX_NODES);
    }
}
