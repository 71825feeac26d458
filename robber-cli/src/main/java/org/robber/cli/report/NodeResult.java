package org.robber.cli.report;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.TransferStats;

/**
 * What one node tells rank 0 when it is through.
 *
 * @param seconds from its start of the transfer to its last verified piece
 * @param stats what it moved
 * @param failure why it does not have everything under its final name, or null if it has
 */
public record NodeResult(
        double seconds, TransferStats stats, @Nullable String failure) {

    static final TransferStats NO_TRAFFIC = new TransferStats(0, 0, List.of(), List.of(), 0, 0, 0, 0, 0);

    /** Of a node that was lost while it put its copy in place. */
    public static NodeResult unknown(String loss) {
        return new NodeResult(0, NO_TRAFFIC, loss + "; whether its copy is in place is not known");
    }

    /** Whether the node has everything, verified and under its final name. */
    public boolean complete() {
        return failure == null;
    }

    /** As bytes for the way to rank 0. */
    public byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeDouble(seconds);
            out.writeLong(stats.bytes());
            out.writeLong(stats.nanos());
            writeLongs(out, stats.bytesReceivedFromCluster());
            writeLongs(out, stats.bytesSentToCluster());
            out.writeLong(stats.controlBytesSent());
            out.writeInt(stats.piecesStolenWan());
            out.writeInt(stats.stealsWon());
            out.writeInt(stats.corruptPieces());
            out.writeLong(stats.bytesReused());
            out.writeBoolean(failure != null);
            out.writeUTF(failure == null ? "" : failure.substring(0, Math.min(failure.length(), 4096)));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * The inverse of {@link #toBytes}.
     *
     * @throws IllegalArgumentException if the bytes are no result
     */
    public static NodeResult fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            double seconds = in.readDouble();
            TransferStats stats = new TransferStats(
                    in.readLong(),
                    in.readLong(),
                    readLongs(in),
                    readLongs(in),
                    in.readLong(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong());
            boolean failed = in.readBoolean();
            String failure = in.readUTF();
            return new NodeResult(seconds, stats, failed ? failure : null);
        } catch (IOException e) {
            throw new IllegalArgumentException("not a node's result: " + bytes.length + " bytes", e);
        }
    }

    private static void writeLongs(DataOutputStream out, List<Long> values) throws IOException {
        out.writeShort(values.size());
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private static List<Long> readLongs(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(in.readLong());
        }
        return List.copyOf(values);
    }
}
