package org.robber.cli.source;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.robber.cli.message.Fields;
import org.robber.transport.manifest.ManifestCodec;

/**
 * The facts about the source that all nodes need before they can receive its manifest.
 *
 * @param streamChunkBytes size of the chunks of a stream, of which nothing else is known; 0 for files
 * @param copyKey names half-written copies: the same whenever this source is copied
 * @param manifestBytes length of the encoded manifest
 * @param whole whether nothing of the source was skipped
 * @param rules of what is left out, for nodes that must keep that; empty if they need not know
 */
public record SourceInfo(int streamChunkBytes, String copyKey, int manifestBytes, boolean whole, List<String> rules) {

    /** Rules of more bytes are for no human being, and would not fit into a message. */
    static final int MOST_RULES_BYTES = 256 << 10;

    public SourceInfo {
        if (manifestBytes < 0 || manifestBytes > ManifestCodec.MAX_ENCODED_BYTES) {
            throw new IllegalArgumentException("a manifest of " + manifestBytes + " bytes");
        }
    }

    /** Of files. */
    public SourceInfo(String copyKey, int manifestBytes, boolean whole, List<String> rules) {
        this(0, copyKey, manifestBytes, whole, rules);
    }

    /** Of a stream. */
    static SourceInfo ofStream(int chunkBytes) {
        return new SourceInfo(chunkBytes, "", 0, true, List.of());
    }

    public boolean isStream() {
        return streamChunkBytes > 0;
    }

    /** For nodes; {@link #fromBytes} is the reverse. */
    byte[] toBytes() {
        return Fields.write(out -> {
            out.writeInt(streamChunkBytes);
            out.writeUTF(copyKey);
            out.writeInt(manifestBytes);
            out.writeBoolean(whole);
            out.write(String.join("\n", rules).getBytes(StandardCharsets.UTF_8));
        });
    }

    /** No rule has a line feed, but a name in one may have a carriage return. */
    private static List<String> rules(String text) {
        return text.isEmpty() ? List.of() : Splitter.on('\n').splitToList(text);
    }

    static SourceInfo fromBytes(byte[] bytes) {
        return Fields.read(
                bytes,
                "the facts of a source",
                in -> new SourceInfo(
                        in.readInt(),
                        in.readUTF(),
                        in.readInt(),
                        in.readBoolean(),
                        rules(new String(in.readAllBytes(), StandardCharsets.UTF_8))));
    }
}
