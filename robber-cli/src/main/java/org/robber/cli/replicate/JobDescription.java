package org.robber.cli.replicate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.RobberException;

/**
 * The job as rank 0 describes it to nodes that join: the data, and places that they may not write to.
 *
 * @param copyKey what half-written copies of the source are known by
 * @param sourceHost the machine that the source is on
 * @param sources the sources there, absolute
 * @param manifest of the source, encoded
 * @param isPart whether the job leaves out files that all of its nodes have
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
record JobDescription(String copyKey, String sourceHost, List<String> sources, byte[] manifest, boolean isPart) {
    private static final int ROOM_FOR_NAMES_BYTES = 8 << 10;

    /**
     * Looks whether a copy at this place would write to the source.
     *
     * @throws RobberException with {@code USAGE}
     */
    void check(DestinationInfo place, String destination, String node) {
        if (!place.host().equals(sourceHost)) {
            return;
        }
        boolean inside = DestinationChecks.sourceTrees(sources).stream()
                .anyMatch(tree -> Path.of(place.path()).startsWith(tree));
        if (inside || sources.stream().anyMatch(source -> DestinationChecks.isSource(source, destination))) {
            throw new RobberException(
                    RobberException.Reason.USAGE,
                    List.of(),
                    "prepare",
                    node + " would write to " + place.path()
                            + ", which is the source or inside of it: choose another DEST");
        }
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(manifest.length + ROOM_FOR_NAMES_BYTES);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(copyKey);
            out.writeUTF(sourceHost);
            out.writeInt(sources.size());
            for (String source : sources) {
                out.writeUTF(source);
            }
            out.writeBoolean(isPart);
            out.writeInt(manifest.length);
            out.write(manifest);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IllegalArgumentException if the bytes describe no job */
    static JobDescription fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String copyKey = in.readUTF();
            String sourceHost = in.readUTF();
            List<String> sources = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                sources.add(in.readUTF());
            }
            boolean isPart = in.readBoolean();
            int manifestBytes = in.readInt();
            byte[] manifest = in.readAllBytes();
            if (manifest.length != manifestBytes) {
                throw new IOException("a manifest of " + manifest.length + " bytes, not " + manifestBytes);
            }
            return new JobDescription(copyKey, sourceHost, sources, manifest, isPart);
        } catch (IOException e) {
            throw new IllegalArgumentException("not what rank 0 tells those that join: " + e.getMessage(), e);
        }
    }
}
