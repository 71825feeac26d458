package org.robber.cli.report;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.message.Fields;

/**
 * How one node ended: what it tells rank 0 when it is through, or what rank 0 knows of one that is lost.
 *
 * @param seconds from its start of the transfer to its last verified piece
 * @param stats what it moved
 * @param verifiedBytes how much of the data it has
 * @param entriesDeleted how many entries it removed because the source does not have them
 * @param bytesRelayed how many bytes it passed on between nodes that cannot connect to each other
 * @param failure why it does not have everything under its final name, or null if it has
 */
public record NodeResult(
        double seconds,
        TransferStats stats,
        long verifiedBytes,
        long entriesDeleted,
        long bytesRelayed,
        @Nullable NodeFailure failure) {

    static final TransferStats NO_TRAFFIC = new TransferStats(0, 0, List.of(), List.of(), 0, 0, 0, 0, 0, 0);

    private static final int LONGEST_MESSAGE = 4096;

    /** Of a node that has removed nothing, and passed nothing on. */
    public NodeResult(double seconds, TransferStats stats, long verifiedBytes, @Nullable NodeFailure failure) {
        this(seconds, stats, verifiedBytes, 0, 0, failure);
    }

    /** The same of a node that has passed on so many bytes. */
    public NodeResult withBytesRelayed(long bytes) {
        return new NodeResult(seconds, stats, verifiedBytes, entriesDeleted, bytes, failure);
    }

    /** Of a node that was lost, or stopped. */
    public static NodeResult lost(long verifiedBytes, @Nullable NodeFailure failure) {
        return new NodeResult(0, NO_TRAFFIC, verifiedBytes, failure);
    }

    /** Of a node that joined. */
    static NodeResult ofJoined(JoinedNode node) {
        byte[] told = node.result();
        RobberException failure = node.failure();
        if (told != null) {
            try {
                return fromBytes(told);
            } catch (IllegalArgumentException e) {
                return lost(node.bytesDone(), new NodeFailure(Reason.INTERNAL, "join", String.valueOf(e.getMessage())));
            }
        }
        return lost(
                node.bytesDone(),
                failure == null
                        ? new NodeFailure(Reason.NETWORK, "join", "nothing was heard of it")
                        : NodeFailure.of(failure));
    }

    /** Whether the node has everything, verified and under its final name. */
    public boolean complete() {
        return failure == null;
    }

    /** As bytes for the way to rank 0. */
    public byte[] toBytes() {
        return Fields.write(out -> {
            out.writeDouble(seconds);
            out.writeLong(stats.bytes());
            out.writeLong(stats.nanos());
            Fields.writeAll(out, stats.bytesReceivedFromCluster(), DataOutputStream::writeLong);
            Fields.writeAll(out, stats.bytesSentToCluster(), DataOutputStream::writeLong);
            out.writeLong(stats.controlBytesSent());
            out.writeLong(stats.messagesSent());
            out.writeInt(stats.piecesStolenWan());
            out.writeInt(stats.stealsWon());
            out.writeInt(stats.corruptPieces());
            out.writeLong(stats.bytesReused());
            out.writeLong(verifiedBytes);
            out.writeLong(entriesDeleted);
            out.writeLong(bytesRelayed);
            out.writeBoolean(failure != null);
            if (failure != null) {
                String message = failure.message();
                out.writeByte(failure.reason().exitCode());
                out.writeUTF(failure.phase());
                out.writeUTF(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
            }
        });
    }

    /**
     * The inverse of {@link #toBytes}.
     *
     * @throws IllegalArgumentException if the bytes are no result
     */
    public static NodeResult fromBytes(byte[] bytes) {
        return Fields.read(
                bytes,
                "a node's result",
                in -> new NodeResult(
                        in.readDouble(),
                        new TransferStats(
                                in.readLong(),
                                in.readLong(),
                                Fields.readAll(in, DataInputStream::readLong),
                                Fields.readAll(in, DataInputStream::readLong),
                                in.readLong(),
                                in.readLong(),
                                in.readInt(),
                                in.readInt(),
                                in.readInt(),
                                in.readLong()),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readBoolean()
                                ? new NodeFailure(Reason.ofExitCode(in.readUnsignedByte()), in.readUTF(), in.readUTF())
                                : null));
    }
}
