package org.robber.transport.storage.source;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.transport.memory.AlignedMemory;

/**
 * A source that fills a target of the same size while it is read, so that the sending node gets its own copy without reading
 * everything twice. A piece is written to the target when it is first read as a whole. {@link #finish} copies the pieces
 * that were never read.
 */
public final class MirroringSource implements Storage {
    private final Storage source;
    private final Storage target;
    private final PieceLayout layout;

    @GuardedBy("mirrored")
    private final PieceSet mirrored;

    /**
     * @param source what is read from; closed with this storage
     * @param target where the copy goes, of the same size; not closed with this storage
     * @param layout the pieces in which the source will be read
     */
    public MirroringSource(Storage source, Storage target, PieceLayout layout) {
        checkArgument(
                source.sizeBytes() == target.sizeBytes() && source.sizeBytes() == layout.totalBytes(),
                "sizes differ: %s, %s, %s",
                source.sizeBytes(),
                target.sizeBytes(),
                layout.totalBytes());
        this.source = source;
        this.target = target;
        this.layout = layout;
        this.mirrored = PieceSet.empty(layout.pieceCount());
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            if (target.verifiedDigest(layout.offsetBytes(piece), layout.lengthBytes(piece)) != null) {
                mirrored.add(piece);
            }
        }
    }

    @Override
    public long sizeBytes() {
        return source.sizeBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer into) throws IOException {
        ByteBuffer copy = into.duplicate();
        source.read(offsetBytes, into);
        mirror(offsetBytes, copy);
    }

    /** Writes each whole piece of the range that no other thread has written or is writing. */
    private void mirror(long offsetBytes, ByteBuffer range) throws IOException {
        int start = range.position();
        int pieceBytes = layout.pieceBytes();
        for (long number = (offsetBytes + pieceBytes - 1) / pieceBytes; number < layout.pieceCount(); number++) {
            int piece = (int) number;
            long inRange = layout.offsetBytes(piece) - offsetBytes;
            int lengthBytes = layout.lengthBytes(piece);
            if (inRange + lengthBytes > range.limit() - start) {
                return;
            }
            if (!claim(piece)) {
                continue;
            }
            boolean written = false;
            try {
                target.write(layout.offsetBytes(piece), range.slice(start + (int) inRange, lengthBytes));
                written = true;
            } finally {
                if (!written) {
                    giveUp(piece);
                }
            }
        }
    }

    /**
     * The digest of bytes of the source: the target learns what its own bytes have to be. What it had from an earlier run
     * is written again if the source was another then.
     */
    @Override
    public void verified(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {
        int piece = (int) (offsetBytes / layout.pieceBytes());
        byte[] earlier = target.verifiedDigest(offsetBytes, lengthBytes);
        boolean isStale = earlier != null && !Arrays.equals(earlier, digest);
        if (isStale || (earlier == null && isMirrored(piece))) {
            target.verified(offsetBytes, lengthBytes, digest);
        }
        if (isStale) {
            giveUp(piece);
        }
    }

    private boolean isMirrored(int piece) {
        synchronized (mirrored) {
            return mirrored.contains(piece);
        }
    }

    private boolean claim(int piece) {
        synchronized (mirrored) {
            return mirrored.add(piece);
        }
    }

    private void giveUp(int piece) {
        synchronized (mirrored) {
            mirrored.remove(piece);
        }
    }

    /** Copies the pieces that were never read as a whole. To be called when all reads have returned. */
    public void finish() throws IOException {
        PieceSet missing;
        synchronized (mirrored) {
            missing = PieceSet.full(layout.pieceCount()).andNot(mirrored);
        }
        if (missing.isEmpty()) {
            return;
        }
        ByteBuffer buffer = AlignedMemory.allocateDirect(layout.lengthBytes(missing.first()));
        for (int piece = missing.first(); piece >= 0; piece = missing.nextFrom(piece + 1)) {
            read(layout.offsetBytes(piece), buffer.clear().limit(layout.lengthBytes(piece)));
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer from) throws IOException {
        source.write(offsetBytes, from);
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        return source.memory(offsetBytes, lengthBytes);
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        return source.fileRange(offsetBytes, lengthBytes);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
