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
 * The pieces of a reduction at one member. Own contributions and results are in the buffers of the user, others in memory outside of the heap until
 * they are not needed any more. Padding is read as zeros, and not kept. Thread-safe.
 */
final class ReductionStorage implements Storage {
    private final PartLayout vector;
    private final ReductionPlan plan;
    private final PieceMemory memory;
    private final int rank;
    private final Region in;
    private final @Nullable Region out;

    /** Where what this node gets begins in the vector. */
    private final long outOffset;

    private final Map<Integer, ByteBuffer> kept = new ConcurrentHashMap<>();
    private final Set<Integer> dropped = ConcurrentHashMap.newKeySet();

    /**
     * The pieces at this node.
     *
     * @param vector the pieces of a vector: its chunks
     * @param memory for pieces that are not the user's
     */
    ReductionStorage(Reduction reduction, PartLayout vector, ReductionPlan plan, PieceMemory memory) {
        this.vector = vector;
        this.memory = memory;
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
                room(piece).put(from, bytes, 0, data);
            }
        }
        source.position(source.limit());
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        int piece = pieceAt(offsetBytes);
        int from = inPiece(offsetBytes);
        if (from + lengthBytes > dataBytes(piece)) {
            return null;
        }
        Region region = region(piece);
        if (region != null) {
            return region.memory(from, lengthBytes);
        }
        return dropped.contains(piece) ? null : room(piece).slice(from, lengthBytes);
    }

    /** The data of a piece, without padding. Not to be changed. */
    ByteBuffer piece(int piece) throws IOException {
        int chunk = plan.chunkOf(piece);
        if (piece == plan.contributionPiece(rank, chunk)) {
            try {
                return contribution(chunk).contents();
            } catch (IOException e) {
                throw StorageFailure.ofSource(e);
            }
        }
        Region result = result(piece);
        if (result != null) {
            return result.contents();
        }
        ByteBuffer bytes = kept.get(piece);
        if (bytes == null) {
            throw new IllegalStateException("piece " + piece + " of the reduction is not here");
        }
        return bytes.duplicate();
    }

    /** Memory for a piece that this node makes. */
    ByteBuffer place(int piece) {
        return result(piece) == null ? room(piece).duplicate() : ByteBuffer.allocate(dataBytes(piece));
    }

    /** This node has made a piece in its {@link #place}. */
    void produced(int piece, ByteBuffer data) throws IOException {
        Region result = result(piece);
        if (result != null) {
            result.write(0, data);
        }
    }

    /** A piece that came from elsewhere is not needed any more, here or by others. */
    void drop(int piece) {
        dropped.add(piece);
        ByteBuffer bytes = kept.remove(piece);
        if (bytes != null) {
            memory.giveBack(bytes);
        }
    }

    /** The memory of a piece that is not the user's. The kernel reads and writes it without a copy. */
    private ByteBuffer room(int piece) {
        return kept.computeIfAbsent(
                piece, number -> memory.take(vector.pieceBytes()).limit(dataBytes(number)));
    }

    /** Where a piece lies in the data of the user; null if it does not. */
    private @Nullable Region region(int piece) {
        int chunk = plan.chunkOf(piece);
        return piece == plan.contributionPiece(rank, chunk) ? contribution(chunk) : result(piece);
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

    /** Gives back the memory that is not the user's. To be called only when no message of the call is under way. */
    @Override
    public void close() {
        kept.values().forEach(memory::giveBack);
        kept.clear();
    }
}
