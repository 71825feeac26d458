package org.robber.transport.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.reduce.ReductionPlan;

/**
 * The pieces of a reduction at one member. Own contributions and results are in the buffers of the user, others in memory of this object until
 * they are not needed any more. Padding is read as zeros, and not kept. Thread-safe.
 */
final class ReductionStorage implements Storage {
    private final PartLayout vector;
    private final ReductionPlan plan;
    private final int rank;
    private final Region in;
    private final @Nullable Region out;

    /** Where what this node gets begins in the vector. */
    private final long outOffset;

    private final Map<Integer, ByteBuffer> kept = new ConcurrentHashMap<>();
    private final Set<Integer> dropped = ConcurrentHashMap.newKeySet();

    /** @param vector the pieces of a vector: its chunks */
    ReductionStorage(Reduction reduction, PartLayout vector, ReductionPlan plan) {
        this.vector = vector;
        this.plan = plan;
        this.rank = reduction.rank();
        this.out = reduction.out();
        this.outOffset = reduction.ownBlock() < 0 ? 0 : reduction.blocks().offset(reduction.ownBlock());
        // Results would overwrite contributions that are being sent.
        this.in = reduction.inPlace() ? reduction.in().snapshot() : reduction.in();
    }

    @Override
    public long sizeBytes() {
        return (long) plan.placement().pieceCount() * vector.pieceBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        ByteBuffer piece = piece(pieceAt(offsetBytes));
        int from = inPiece(offsetBytes);
        int data = Math.max(0, Math.min(target.remaining(), piece.remaining() - from));
        target.put(piece.slice(Math.min(from, piece.remaining()), data));
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        int piece = pieceAt(offsetBytes);
        int from = inPiece(offsetBytes);
        int data = Math.max(0, Math.min(source.remaining(), dataBytes(piece) - from));
        if (data > 0) {
            Region result = result(piece);
            ByteBuffer bytes = source.slice(source.position(), data);
            if (result != null) {
                result.write(from, bytes);
            } else if (!dropped.contains(piece)) {
                kept.computeIfAbsent(piece, number -> ByteBuffer.allocate(dataBytes(number)))
                        .put(from, bytes, bytes.position(), data);
            }
        }
        source.position(source.limit());
    }

    /** The data of a piece, without padding. Not to be changed. */
    ByteBuffer piece(int piece) throws IOException {
        int chunk = plan.chunkOf(piece);
        Region region = piece == plan.contributionPiece(rank, chunk) ? contribution(chunk) : result(piece);
        if (region != null) {
            ByteBuffer bytes = ByteBuffer.allocate((int) region.sizeBytes());
            region.read(0, bytes);
            return bytes.flip();
        }
        ByteBuffer bytes = kept.get(piece);
        if (bytes == null) {
            throw new IllegalStateException("piece " + piece + " of the reduction is not here");
        }
        return bytes.duplicate();
    }

    /** This node has made a piece. */
    void produced(int piece, ByteBuffer data) throws IOException {
        Region result = result(piece);
        if (result == null) {
            kept.put(piece, data);
        } else {
            result.write(0, data.duplicate());
        }
    }

    /** A piece that came from elsewhere is not needed any more, here or by others. */
    void drop(int piece) {
        dropped.add(piece);
        kept.remove(piece);
    }

    private Region contribution(int chunk) {
        return new Region(in.bytes(), in.offsetBytes() + offsetInVector(chunk), dataBytesOfChunk(chunk));
    }

    /** Where a piece lies in the user's result; null if it does not. */
    private @Nullable Region result(int piece) {
        int chunk = plan.chunkOf(piece);
        Region target = out;
        if (target == null || plan.resultPiece(rank, chunk) != piece) {
            return null;
        }
        return new Region(
                target.bytes(), target.offsetBytes() + offsetInVector(chunk) - outOffset, dataBytesOfChunk(chunk));
    }

    private long offsetInVector(int chunk) {
        return vector.offsetWithoutPadding(chunk);
    }

    private int dataBytes(int piece) {
        return dataBytesOfChunk(plan.chunkOf(piece));
    }

    private int dataBytesOfChunk(int chunk) {
        return vector.dataBytes(chunk);
    }

    private int pieceAt(long offsetBytes) {
        return (int) (offsetBytes / vector.pieceBytes());
    }

    private int inPiece(long offsetBytes) {
        return (int) (offsetBytes % vector.pieceBytes());
    }

    /** Does nothing: the memory belongs to the caller, or goes with this object. */
    @Override
    public void close() {}
}
