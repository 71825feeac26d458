package org.robber.cli.verify;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.transport.storage.record.CopyAudit;

/**
 * The state of one copy, as its node tells it to rank 0.
 *
 * @param fingerprint of the manifest, or empty if the node has no record of the copy
 * @param dataFingerprint of the bytes; empty also if the copy came in several runs
 * @param manifestBytes size of the encoded manifest
 * @param pieceBytes size of its pieces; 0 if the copy came in several runs, which may have had pieces of several sizes
 * @param problems what is wrong with the copy; empty if it is intact
 */
record CopyState(
        String fingerprint,
        String dataFingerprint,
        int manifestBytes,
        int pieceBytes,
        String digest,
        List<String> problems) {
    private static final int MOST_PROBLEMS_TOLD = 20;

    static CopyState of(@Nullable CopyAudit audit) {
        if (audit == null) {
            return new CopyState("", "", 0, 0, "", List.of("nothing is known of this copy"));
        }
        List<String> first = audit.problems().stream().limit(MOST_PROBLEMS_TOLD).toList();
        List<String> problems = new ArrayList<>(first);
        int more = audit.problems().size() - first.size();
        if (more > 0) {
            problems.add("and " + more + " more");
        }
        return new CopyState(
                audit.fingerprint(),
                audit.dataFingerprint(),
                audit.encodedManifest().length,
                audit.hasSteps() ? 0 : audit.layout().pieceBytes(),
                audit.digest(),
                problems);
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(fingerprint);
            out.writeUTF(dataFingerprint);
            out.writeInt(manifestBytes);
            out.writeInt(pieceBytes);
            out.writeUTF(digest);
            out.writeInt(problems.size());
            for (String problem : problems) {
                out.writeUTF(problem);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    static CopyState fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String fingerprint = in.readUTF();
            String dataFingerprint = in.readUTF();
            int manifestBytes = in.readInt();
            int pieceBytes = in.readInt();
            String digest = in.readUTF();
            List<String> problems = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                problems.add(in.readUTF());
            }
            return new CopyState(fingerprint, dataFingerprint, manifestBytes, pieceBytes, digest, problems);
        } catch (IOException e) {
            throw new IllegalArgumentException("not what a node tells of a copy: " + bytes.length + " bytes", e);
        }
    }

    boolean intact() {
        return problems.isEmpty();
    }

    /** Whether it came in several runs, so that its pieces are not those of others. */
    boolean hasSteps() {
        return !fingerprint.isEmpty() && dataFingerprint.isEmpty();
    }

    /** Whether two copies are the same, as far as their records tell. */
    boolean isSame(CopyState other) {
        boolean isComparable =
                !hasSteps() && !other.hasSteps() && pieceBytes == other.pieceBytes && digest.equals(other.digest);
        return fingerprint.equals(other.fingerprint)
                && (!isComparable || dataFingerprint.equals(other.dataFingerprint));
    }

    /**
     * The status in the report.
     *
     * @param another whether it differs from the copy that the others are compared with
     */
    String status(boolean another) {
        if (another) {
            return "different";
        }
        return intact() ? "right" : fingerprint.isEmpty() ? "unknown" : "damaged";
    }
}
