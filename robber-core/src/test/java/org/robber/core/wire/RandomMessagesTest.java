package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Random messages come back as they were sent, and none is longer than its type may be. */
class RandomMessagesTest {

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
                        piece, offsetBytes, lengthBytes, random.nextInt(1000), RandomFields.bytes(digestBytes, random));
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
                        RandomFields.natural(random),
                        RandomFields.rank(random),
                        totalBytes,
                        pieceBytes,
                        RandomFields.text(1024, random),
                        RandomFields.text(1024, random));
            }
            case KEEP_ALIVE -> new Message.KeepAlive();
            case CHOKE -> new Message.Choke();
            case UNCHOKE -> new Message.Unchoke();
            case INTERESTED -> new Message.Interested();
            case NOT_INTERESTED -> new Message.NotInterested();
            case ABORT -> new Message.Abort((int) random.nextLong(), RandomFields.text(8192, random));
        };
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
}
