package org.robber.cli.replicate;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.robber.RobberException;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.message.Fields;

/**
 * The job as rank 0 describes it to nodes that join: the data, and places that they may not write to.
 *
 * @param copyKey what half-written copies of the source are known by
 * @param sourceHost the machine that the source is on
 * @param sources the sources there, absolute
 * @param manifest of the source, encoded
 * @param leftOut entries of the manifest: files that all nodes of the job have, and that are not sent
 * @param fsync whether copies are on the disk before they count as complete
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
public record JobDescription(
        String copyKey, String sourceHost, List<String> sources, byte[] manifest, BitSet leftOut, boolean fsync) {
    /**
     * Looks whether a copy at this place would write to the source.
     *
     * @throws RobberException with {@code USAGE}
     */
    public void check(DestinationInfo place, String destination, String node) {
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
        return Fields.write(out -> {
            out.writeUTF(copyKey);
            out.writeUTF(sourceHost);
            Fields.writeAll(out, sources, DataOutputStream::writeUTF);
            byte[] files = leftOut.toByteArray();
            out.writeInt(files.length);
            out.write(files);
            out.writeBoolean(fsync);
            out.writeInt(manifest.length);
            out.write(manifest);
        });
    }

    /**
     * The reverse of {@link #toBytes}.
     *
     * @throws IllegalArgumentException if the bytes describe no job
     */
    public static JobDescription fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String copyKey = in.readUTF();
            String sourceHost = in.readUTF();
            List<String> sources = Fields.readAll(in, DataInput::readUTF);
            int filesBytes = in.readInt();
            byte[] files = in.readNBytes(filesBytes);
            if (files.length != filesBytes) {
                throw new EOFException("it ends too early");
            }
            boolean fsync = in.readBoolean();
            int manifestBytes = in.readInt();
            byte[] manifest = in.readAllBytes();
            if (manifest.length != manifestBytes) {
                throw new IOException("a manifest of " + manifest.length + " bytes, not " + manifestBytes);
            }
            return new JobDescription(copyKey, sourceHost, sources, manifest, BitSet.valueOf(files), fsync);
        } catch (IOException e) {
            throw new IllegalArgumentException("not what rank 0 tells those that join: " + e.getMessage(), e);
        }
    }
}
