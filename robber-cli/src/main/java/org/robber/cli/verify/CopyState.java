package org.robber.cli.verify;

import java.io.DataInput;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.cli.message.Fields;
import org.robber.transport.storage.record.CopyAudit;

/**
 * The state of one copy, as its node tells it to rank 0.
 *
 * @param fingerprint of the manifest, or empty if the node has no record of the copy
 * @param dataFingerprint of the bytes; empty also if the copy came in several runs, or later copies have replaced files
 * @param manifestBytes size of the encoded manifest
 * @param pieceBytes size of its pieces; 0 if there is no fingerprint of the bytes: runs may have had pieces of several sizes
 * @param replaced how many files later copies have replaced
 * @param isGone whether these are all
 * @param recordedNanos when its node recorded it last, since 1970 by the clock of its machine; 0 if it has no record
 * @param problems what is wrong with the copy; empty if it is intact
 */
record CopyState(
        String fingerprint,
        String dataFingerprint,
        int manifestBytes,
        int pieceBytes,
        String digest,
        int replaced,
        boolean isGone,
        long recordedNanos,
        List<String> problems) {
    private static final int MOST_PROBLEMS_TOLD = 20;

    static CopyState of(@Nullable CopyAudit audit, long recordedNanos) {
        if (audit == null) {
            return new CopyState("", "", 0, 0, "", 0, false, 0, List.of("nothing is known of this copy"));
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
                audit.replaced(),
                audit.isGone(),
                recordedNanos,
                problems);
    }

    byte[] toBytes() {
        return Fields.write(out -> {
            out.writeUTF(fingerprint);
            out.writeUTF(dataFingerprint);
            out.writeInt(manifestBytes);
            out.writeInt(pieceBytes);
            out.writeUTF(digest);
            out.writeInt(replaced);
            out.writeBoolean(isGone);
            out.writeLong(recordedNanos);
            Fields.writeAll(out, problems, DataOutputStream::writeUTF);
        });
    }

    static CopyState fromBytes(byte[] bytes) {
        return Fields.read(
                bytes,
                "what a node tells of a copy",
                in -> new CopyState(
                        in.readUTF(),
                        in.readUTF(),
                        in.readInt(),
                        in.readInt(),
                        in.readUTF(),
                        in.readInt(),
                        in.readBoolean(),
                        in.readLong(),
                        Fields.readAll(in, DataInput::readUTF)));
    }

    boolean intact() {
        return problems.isEmpty();
    }

    /** Whether its node has a record of it. */
    boolean isKnown() {
        return !fingerprint.isEmpty();
    }

    /** Whether it came in several runs, so that its pieces are not those of others. */
    boolean hasSteps() {
        return isKnown() && dataFingerprint.isEmpty();
    }

    /** Whether two copies are the same, as far as their records tell. */
    boolean isSame(CopyState other) {
        boolean isComparable =
                !hasSteps() && !other.hasSteps() && pieceBytes == other.pieceBytes && digest.equals(other.digest);
        return fingerprint.equals(other.fingerprint)
                && (!isComparable || dataFingerprint.equals(other.dataFingerprint));
    }

    /** Whether this copy may not become what the other is: it came later, or later copies have replaced files and nobody knows whose bytes came last. */
    boolean mayBeNewerThan(CopyState other) {
        boolean hasReplaced = replaced > 0 || other.replaced > 0;
        return hasReplaced
                ? !fingerprint.equals(other.fingerprint)
                : recordedNanos > other.recordedNanos && !isSame(other);
    }

    /** In the report, if it is not compared with others. */
    String status() {
        return !isKnown() ? "unknown" : !intact() ? "damaged" : isGone ? "replaced" : "right";
    }
}
