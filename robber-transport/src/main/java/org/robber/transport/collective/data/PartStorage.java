package org.robber.transport.collective.data;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/**
 * The parts of a call at this node. Those that it has or wants are in the buffers of the user. Pieces of others, which it brings for other
 * nodes, are in memory of this object until the call ends. Padding is read as zeros, and not written. Thread-safe.
 */
public final class PartStorage implements Storage {
    private final PartLayout layout;
    private final ImmutableList<Part> parts;
    private final Map<Integer, ByteBuffer> relayed = new ConcurrentHashMap<>();

    public PartStorage(PartLayout layout, List<Part> parts) {
        this.layout = layout;
        this.parts = ImmutableList.copyOf(parts);
    }

    @Override
    public long sizeBytes() {
        return layout.pieces().totalBytes();
    }

    @Override
    public boolean isInMemory() {
        return parts.stream()
                .flatMap(part -> Stream.of(part.source(), part.place()))
                .allMatch(region -> region == null || region.isInMemory());
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        int data = dataBytes(part, offset, target.remaining());
        if (data > 0) {
            int end = target.limit();
            target.limit(target.position() + data);
            Region source = parts.get(part).source();
            Region place = parts.get(part).place();
            if (source != null) {
                try {
                    source.read(offset, target);
                } catch (IOException e) {
                    throw StorageFailure.ofSource(e);
                }
            } else if (place != null) {
                place.read(offset, target);
            } else {
                target.put(relayed(offsetBytes).slice(inPiece(offsetBytes), data));
            }
            target.limit(end);
        }
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        int data = dataBytes(part, offset, source.remaining());
        if (data > 0) {
            ByteBuffer bytes = source.slice(source.position(), data);
            Region place = parts.get(part).place();
            if (place != null) {
                place.write(offset, bytes);
            } else {
                relayed.computeIfAbsent(pieceAt(offsetBytes), piece -> ByteBuffer.allocate(layout.pieceBytes()))
                        .put(inPiece(offsetBytes), bytes, 0, data);
            }
        }
        source.position(source.limit());
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        Region place = parts.get(part).place();
        return place != null && dataBytes(part, offset, lengthBytes) == lengthBytes
                ? place.memory(offset, lengthBytes)
                : null;
    }

    /** As many of the bytes as are no padding. */
    private int dataBytes(int part, long offset, int lengthBytes) {
        return (int) Math.max(0, Math.min(lengthBytes, parts.get(part).sizeBytes() - offset));
    }

    private ByteBuffer relayed(long offsetBytes) {
        ByteBuffer piece = relayed.get(pieceAt(offsetBytes));
        if (piece == null) {
            throw new IllegalStateException("piece " + pieceAt(offsetBytes) + " of the data is not here");
        }
        return piece;
    }

    private int pieceAt(long offsetBytes) {
        return (int) (offsetBytes / layout.pieceBytes());
    }

    private int inPiece(long offsetBytes) {
        return (int) (offsetBytes % layout.pieceBytes());
    }

    /** Does nothing: the memory belongs to the caller, or goes with this object. */
    @Override
    public void close() {}
}
