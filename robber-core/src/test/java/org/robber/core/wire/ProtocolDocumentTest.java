package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Greeting;
import org.robber.core.protocol.MessageType;
import org.robber.core.topology.Topology;

/** The tables of {@code docs/reference/protocol.md} say what the code does. */
class ProtocolDocumentTest {

    private final ProtocolDocument page = ProtocolDocument.read();

    @Test
    void messagesHaveTheirCodesAndLimits() {
        long pieceBytes = WireLimits.MAX_BLOCK_BYTES;
        PieceLayout largest = new PieceLayout(pieceBytes * PieceLayout.MAX_PIECES, WireLimits.MAX_BLOCK_BYTES);
        MessageCodec codec = new MessageCodec(largest, WireLimits.MAX_DIGEST_BYTES);
        assertThat(page.rows("Messages between peers"))
                .containsExactlyElementsOf(Stream.of(MessageType.values())
                        .map(type -> ProtocolDocument.row(type.name(), type.code(), codec.maxFrameBytes(type.code())))
                        .toList());
    }

    @Test
    void greetingsHaveTheirLengths() {
        assertThat(page.text()).startsWith("# The protocol, version " + Greeting.PROTOCOL_VERSION + "\n");
        assertThat(page.rows("Greeting"))
                .containsExactly(
                        ProtocolDocument.row("Hello", 1, GreetingCodec.HELLO_FRAME_BYTES),
                        ProtocolDocument.row("Challenge", 2, GreetingCodec.CHALLENGE_FRAME_BYTES),
                        ProtocolDocument.row("Proof", 3, GreetingCodec.PROOF_FRAME_BYTES));
    }

    @Test
    void limitsInTheTextAreThoseOfTheCode() {
        assertThat(page.text())
                .contains("%,d pieces, digests of %d bytes"
                        .formatted(PieceLayout.MAX_PIECES, WireLimits.MAX_DIGEST_BYTES))
                .contains("A name has at most %,d bytes, a\ntext %,d"
                        .formatted(WireLimits.MAX_NAME_BYTES, WireLimits.MAX_TEXT_BYTES))
                .contains("Each has 1 to %,d bytes".formatted(WireLimits.MAX_BLOCK_BYTES))
                .contains("at most %,d nodes".formatted(Topology.MAX_NODES))
                .contains("A payload has at most %,d bytes".formatted(WireLimits.MAX_PAYLOAD_BYTES));
    }
}
