package org.robber.transport.storage;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.memory.AlignedMemory;
import org.robber.transport.storage.file.Ranges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storages one behind the other, each from the beginning of a piece on, so that no piece belongs to two of them. Zero bytes fill the last piece before
 * the next storage. They are sent, and kept nowhere.
 *
 * <p>A storage knows the digest of its own bytes in such a piece, and the multicast that of all of them. So one is made of the bytes
 * where the other is known. A range to be read or written is a piece, or a part of one.
 */
public final class SideBySide implements Storage {
    private static final Logger LOG = LoggerFactory.getLogger(SideBySide.class);

    private final List<Storage> parts;
    private final long[] ends;
    private final PieceHasher hasher;

    /**
     * @param parts closed with this storage
     * @param pieceBytes size of the pieces in which all of it is read and written
     * @param hasher of the digests of pieces
     */
    public SideBySide(List<? extends Storage> parts, int pieceBytes, PieceHasher hasher) {
        checkArgument(!parts.isEmpty(), "no parts");
        this.parts = List.copyOf(parts);
        this.hasher = hasher;
        this.ends = new long[parts.size()];
        long end = 0;
        for (int part = 0; part < ends.length; part++) {
            long sizeBytes = parts.get(part).sizeBytes();
            if (sizeBytes > 0) {
                long start = (end + pieceBytes - 1) / pieceBytes * pieceBytes;
                fillUp(part, end, start);
                end = start + sizeBytes;
            }
            ends[part] = end;
        }
    }

    /** The last part with bytes, and those without behind it, reach to where this one starts. */
    private void fillUp(int next, long end, long start) {
        for (int part = next - 1; part >= 0 && ends[part] == end; part--) {
            ends[part] = start;
        }
    }

    /** Where each part ends, with the bytes that fill its last piece. */
    public List<Long> endBytes() {
        List<Long> all = new ArrayList<>();
        for (long end : ends) {
            all.add(end);
        }
        return all;
    }

    @Override
    public long sizeBytes() {
        return ends[ends.length - 1];
    }

    /** A range as one part sees it. */
    private record InPart(Storage storage, long offsetBytes, int dataBytes) {

        boolean isAll(int lengthBytes) {
            return dataBytes == lengthBytes;
        }
    }

    private InPart find(long offsetBytes, int lengthBytes) {
        int part = 0;
        while (part < ends.length - 1 && ends[part] <= offsetBytes) {
            part++;
        }
        Ranges.check(offsetBytes, lengthBytes, ends[part]);
        Storage storage = parts.get(part);
        long offset = Math.min(offsetBytes - (part == 0 ? 0 : ends[part - 1]), storage.sizeBytes());
        return new InPart(storage, offset, (int) Math.min(lengthBytes, storage.sizeBytes() - offset));
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        InPart range = find(offsetBytes, target.remaining());
        UserStorage.read(range.storage, range.offsetBytes, dataOf(range, target));
        target.position(target.position() + range.dataBytes);
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        InPart range = find(offsetBytes, source.remaining());
        UserStorage.write(range.storage, range.offsetBytes, dataOf(range, source));
        source.position(source.limit());
    }

    /** A view of the bytes that are the part's. */
    private static ByteBuffer dataOf(InPart range, ByteBuffer all) {
        return all.slice(all.position(), range.dataBytes);
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        InPart range = find(offsetBytes, lengthBytes);
        return range.isAll(lengthBytes) ? range.storage.memory(range.offsetBytes, lengthBytes) : null;
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        InPart range = find(offsetBytes, lengthBytes);
        return range.isAll(lengthBytes) ? range.storage.fileRange(range.offsetBytes, lengthBytes) : null;
    }

    @Override
    public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
        InPart range = find(offsetBytes, lengthBytes);
        byte[] ofData = range.storage.verifiedDigest(range.offsetBytes, range.dataBytes);
        if (range.isAll(lengthBytes) || ofData == null) {
            return ofData;
        }
        try {
            return hash(offsetBytes, lengthBytes);
        } catch (IOException e) {
            LOG.debug("A piece that was verified can't be read: it is fetched again", e);
            return null;
        }
    }

    @Override
    public void verified(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {
        InPart range = find(offsetBytes, lengthBytes);
        byte[] ofData = range.isAll(lengthBytes) ? digest : hash(offsetBytes, range.dataBytes);
        range.storage.verified(range.offsetBytes, range.dataBytes, ofData);
    }

    private byte[] hash(long offsetBytes, int lengthBytes) throws IOException {
        ByteBuffer bytes = AlignedMemory.allocateDirect(lengthBytes);
        read(offsetBytes, bytes);
        return hasher.hash(bytes.flip());
    }

    @Override
    public void close() throws IOException {
        IOException problem = null;
        for (Storage part : parts) {
            try {
                part.close();
            } catch (IOException e) {
                problem = problem == null ? e : problem;
            }
        }
        if (problem != null) {
            throw problem;
        }
    }

    @Override
    public String toString() {
        return String.join(" and ", parts.stream().map(String::valueOf).toList());
    }
}
