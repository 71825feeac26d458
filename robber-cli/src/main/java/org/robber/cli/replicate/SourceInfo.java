package org.robber.cli.replicate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.robber.transport.manifest.ManifestCodec;

/**
 * The facts about the source that all nodes need before they can receive its manifest.
 *
 * @param copyKey names half-written copies: the same whenever this source is copied
 * @param manifestBytes length of the encoded manifest
 */
record SourceInfo(String copyKey, int manifestBytes) {

    SourceInfo {
        if (manifestBytes < 0 || manifestBytes > ManifestCodec.MAX_ENCODED_BYTES) {
            throw new IllegalArgumentException("a manifest of " + manifestBytes + " bytes");
        }
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(copyKey);
            out.writeInt(manifestBytes);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    static SourceInfo fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new SourceInfo(in.readUTF(), in.readInt());
        } catch (IOException e) {
            throw new IllegalArgumentException("not the facts of a source: " + bytes.length + " bytes", e);
        }
    }
}
