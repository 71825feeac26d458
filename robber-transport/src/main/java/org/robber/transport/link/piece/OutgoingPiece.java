package org.robber.transport.link.piece;

import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.transport.link.piece.PieceBuffers.Lease;

/** A piece that is ready to be sent, and where its bytes are: in memory, in an open file, or in a buffer of the budget. */
public final class OutgoingPiece {
    private final byte[] digest;
    private final int lengthBytes;
    private final @Nullable ByteBuffer memory;
    private final Storage.@Nullable FileRange file;
    private final @Nullable Lease lease;

    private OutgoingPiece(
            byte[] digest,
            int lengthBytes,
            @Nullable ByteBuffer memory,
            Storage.@Nullable FileRange file,
            @Nullable Lease lease) {
        this.digest = digest;
        this.lengthBytes = lengthBytes;
        this.memory = memory;
        this.file = file;
        this.lease = lease;
    }

    /** From direct memory of the storage: the kernel copies it from where it is. */
    static OutgoingPiece ofMemory(byte[] digest, ByteBuffer memory) {
        return new OutgoingPiece(digest, memory.remaining(), memory, null, null);
    }

    /** From an open file: the bytes never enter this process. */
    static OutgoingPiece ofFile(byte[] digest, int lengthBytes, Storage.FileRange file) {
        return new OutgoingPiece(digest, lengthBytes, null, file, null);
    }

    /** From a buffer of the memory budget. */
    static OutgoingPiece ofLease(byte[] digest, int lengthBytes, Lease lease) {
        return new OutgoingPiece(digest, lengthBytes, null, null, lease);
    }

    public byte[] digest() {
        return digest;
    }

    public int lengthBytes() {
        return lengthBytes;
    }

    /** A part of the piece in the form in which Netty sends it; the sender releases it. */
    public Object block(int offsetBytes, int blockBytes) {
        if (memory != null) {
            return Unpooled.wrappedBuffer(memory.slice(offsetBytes, blockBytes));
        }
        if (lease != null) {
            return lease.bytes().retainedSlice(offsetBytes, blockBytes);
        }
        if (file == null) {
            throw new IllegalStateException("a piece without bytes");
        }
        return new OpenFileRegion(file, offsetBytes, blockBytes);
    }

    /** To be called once, when all blocks are sent or none of them is needed any more. */
    public void release() {
        if (lease != null) {
            lease.release();
        }
        if (file != null) {
            file.release();
        }
    }

    /** A region whose file stays open when it has been sent; other regions of it are on their way. */
    private static final class OpenFileRegion extends DefaultFileRegion {
        OpenFileRegion(Storage.FileRange range, int offsetBytes, int blockBytes) {
            super(range.channel(), range.positionBytes() + offsetBytes, blockBytes);
        }

        @Override
        protected void deallocate() {
            // The piece releases the file.
        }
    }

    /** Opens a piece where it lies in its storage; null if it can only be read into a buffer. */
    static @Nullable OutgoingPiece inPlace(Storage storage, long offsetBytes, int lengthBytes, byte[] digest)
            throws IOException {
        ByteBuffer memory = storage.memory(offsetBytes, lengthBytes);
        if (memory != null && memory.isDirect()) {
            return ofMemory(digest, memory);
        }
        Storage.FileRange file = storage.fileRange(offsetBytes, lengthBytes);
        return file == null ? null : ofFile(digest, lengthBytes, file);
    }
}
