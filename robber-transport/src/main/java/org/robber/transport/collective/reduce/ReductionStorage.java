package org.robber.transport.collective.reduce;

import com.google.common.primitives.ImmutableIntArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.reduce.ReductionPlan;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.data.StorageFailure;
import org.robber.transport.memory.ReusedMemory;

/**
 * The pieces of a reduction at one member. Own contributions and results are in the buffers of the user, others in memory outside of the heap until
 * they are not needed any more. If results replace contributions, these are copied. Padding is read as zeros, and not kept. Thread-safe.
 */
public final class ReductionStorage implements Storage {
    /**
     * So much is kept while no calls are made: 6 products of 4 MiB, with inputs of 8 mates, need 200 MiB. The collector frees the rest, too late for long calls: these
     * then wait for new memory.
     */
    private static final int MOST_KEPT_BYTES = 256 << 20;

    /** Memory of all reductions of this process, for pieces that are not the user's. */
    public static final ReusedMemory<ByteBuffer> OF_PROCESS =
            new ReusedMemory<>(MOST_KEPT_BYTES, ByteBuffer::allocateDirect, ByteBuffer::capacity, buffer -> {});

    private final PartLayout vector;
    private final ReductionPlan plan;
    private final ReusedMemory<ByteBuffer> memory;
    private final int rank;
    private final Region in;
    private final @Nullable Region out;

    /** Whether own contributions are kept like pieces that are not the user's. */
    private final boolean keepsContributions;

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
    ReductionStorage(Reduction reduction, PartLayout vector, ReductionPlan plan, ReusedMemory<ByteBuffer> memory) {
        this.vector = vector;
        this.memory = memory;
        this.plan = plan;
        this.rank = reduction.rank();
        this.out = reduction.out();
        this.outOffset = reduction.ownBlock() < 0 ? 0 : reduction.blocks().offset(reduction.ownBlock());
        this.in = reduction.in();
        this.keepsContributions = reduction.inPlace();
    }

    /**
     * Tasks to be done before any piece is read or written: results will overwrite contributions that are being sent. Where access may block, each does
     * little, so a storage that is slow does not look like one that hangs.
     */
    public List<Runnable> keeping() {
        if (!keepsContributions) {
            return List.of();
        }
        List<Runnable> ofChunks = IntStream.range(0, plan.chunks())
                .mapToObj(chunk -> (Runnable) () -> keepContribution(chunk))
                .toList();
        return in.isInMemory() ? List.of(() -> ofChunks.forEach(Runnable::run)) : ofChunks;
    }

    private void keepContribution(int chunk) {
        try {
            contribution(chunk)
                    .read(0, room(plan.contributionPiece(rank, chunk)).duplicate());
        } catch (IOException e) {
            throw new StorageFailure(Reason.SOURCE, e);
        }
    }

    @Override
    public long sizeBytes() {
        return (long) plan.placement().pieceCount() * vector.pieceBytes();
    }

    @Override
    public boolean isInMemory() {
        return in.isInMemory() && (out == null || out.isInMemory());
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        int piece = pieceAt(offsetBytes);
        int from = inPiece(offsetBytes);
        int data = Math.max(0, Math.min(target.remaining(), dataBytes(piece) - from));
        if (data > 0) {
            read(piece, from, target.slice(target.position(), data));
            target.position(target.position() + data);
        }
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

    /** Fills the target with data of a piece from this place on. */
    private void read(int piece, int from, ByteBuffer target) throws IOException {
        Region region = region(piece);
        if (region == null) {
            target.put(here(piece).slice(from, target.remaining()));
        } else if (isContribution(piece)) {
            try {
                region.read(from, target);
            } catch (IOException e) {
                throw StorageFailure.ofSource(e);
            }
        } else {
            region.read(from, target);
        }
    }

    /**
     * Makes a piece of others.
     *
     * @param combination combines the data of the inputs, without padding, and fills the result. It does not change the inputs
     */
    void make(int piece, ImmutableIntArray inputs, BiConsumer<List<ByteBuffer>, ByteBuffer> combination)
            throws IOException {
        List<ByteBuffer> copies = new ArrayList<>();
        List<ByteBuffer> data = new ArrayList<>();
        try {
            for (int i = 0; i < inputs.length(); i++) {
                data.add(data(inputs.get(i), copies));
            }
            Region result = result(piece);
            ByteBuffer place = result == null ? room(piece).duplicate() : result.memory(0, dataBytes(piece));
            ByteBuffer made = place == null ? copy(piece, copies) : place;
            combination.accept(data, made);
            if (result != null && place == null) {
                result.write(0, made.duplicate());
            }
        } finally {
            copies.forEach(memory::giveBack);
        }
    }

    /** The data of a piece in its own memory, or a copy if that cannot be had. */
    private ByteBuffer data(int piece, List<ByteBuffer> copies) throws IOException {
        Region region = region(piece);
        ByteBuffer inPlace = region == null ? here(piece) : region.memory(0, dataBytes(piece));
        if (inPlace != null) {
            return inPlace;
        }
        ByteBuffer copy = copy(piece, copies);
        read(piece, 0, copy.duplicate());
        return copy;
    }

    /** Memory for a copy of a piece, which is added to the copies. */
    private ByteBuffer copy(int piece, List<ByteBuffer> copies) {
        ByteBuffer copy = newBuffer(piece);
        copies.add(copy);
        return copy;
    }

    private ByteBuffer newBuffer(int piece) {
        return memory.take(vector.pieceBytes()).clear().limit(dataBytes(piece));
    }

    private ByteBuffer here(int piece) {
        ByteBuffer bytes = kept.get(piece);
        if (bytes == null) {
            throw new IllegalStateException("piece " + piece + " of the reduction is not here");
        }
        return bytes.duplicate();
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
        return kept.computeIfAbsent(piece, this::newBuffer);
    }

    /** Where a piece lies in the data of the user; null if it does not. */
    private @Nullable Region region(int piece) {
        if (isContribution(piece)) {
            return keepsContributions ? null : contribution(plan.chunkOf(piece));
        }
        return result(piece);
    }

    private boolean isContribution(int piece) {
        return piece == plan.contributionPiece(rank, plan.chunkOf(piece));
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
