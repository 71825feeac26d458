package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Greeting;
import org.robber.core.protocol.MessageType;
import org.robber.core.topology.Topology;

/** The tables of {@code docs/reference/protocol.md} say what the code does. */
class ProtocolDocumentTest {

    /** A table's row that begins with a type, its code, and its limit. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\|");

    private final String document = read();

    @Test
    void messagesHaveTheirCodesAndLimits() {
        long pieceBytes = WireLimits.MAX_BLOCK_BYTES;
        PieceLayout largest = new PieceLayout(pieceBytes * PieceLayout.MAX_PIECES, WireLimits.MAX_BLOCK_BYTES);
        MessageCodec codec = new MessageCodec(largest, WireLimits.MAX_DIGEST_BYTES);
        assertThat(rows("Messages between peers"))
                .containsExactlyElementsOf(Stream.of(MessageType.values())
                        .map(type -> row(type.name(), type.code(), codec.maxFrameBytes(type.code())))
                        .toList());
    }

    @Test
    void controlMessagesHaveTheirCodesAndLimits() {
        assertThat(rows("Control connection"))
                .containsExactlyElementsOf(Stream.of(ControlType.values())
                        .map(type -> row(type.name(), type.code(), type.maxFrameBytes()))
                        .toList());
    }

    @Test
    void greetingsHaveTheirLengths() {
        assertThat(document).startsWith("# The protocol, version " + Greeting.PROTOCOL_VERSION + "\n");
        assertThat(rows("Greeting"))
                .containsExactly(
                        row("Hello", 1, GreetingCodec.HELLO_FRAME_BYTES),
                        row("Challenge", 2, GreetingCodec.CHALLENGE_FRAME_BYTES),
                        row("Proof", 3, GreetingCodec.PROOF_FRAME_BYTES));
    }

    @Test
    void limitsInTheTextAreThoseOfTheCode() {
        assertThat(document)
                .contains("%,d pieces, digests of %d bytes"
                        .formatted(PieceLayout.MAX_PIECES, WireLimits.MAX_DIGEST_BYTES))
                .contains("A name has at most %,d bytes, a\ntext %,d"
                        .formatted(WireLimits.MAX_NAME_BYTES, WireLimits.MAX_TEXT_BYTES))
                .contains("Each has 1 to %,d bytes".formatted(WireLimits.MAX_BLOCK_BYTES))
                .contains("at most %,d nodes".formatted(Topology.MAX_NODES))
                .contains("A payload has at most %,d bytes".formatted(WireLimits.MAX_PAYLOAD_BYTES));
    }

    private List<String> rows(String heading) {
        int from = document.indexOf("\n## " + heading + "\n");
        assertThat(from).as("heading %s", heading).isPositive();
        int to = document.indexOf("\n## ", from + 1);
        String section = document.substring(from, to < 0 ? document.length() : to);
        return ROW.matcher(section).results().map(MatchResult::group).toList();
    }

    private static String row(String name, int code, int limitBytes) {
        return "| `" + name + "` | " + code + " | " + limitBytes + " |";
    }

    private static String read() {
        try {
            return Files.readString(
                    Path.of("").toAbsolutePath().resolveSibling("docs").resolve("reference/protocol.md"));
        } catch (IOException e) {
            throw new IllegalStateException("tests run in the folder of their module", e);
        }
    }
}
