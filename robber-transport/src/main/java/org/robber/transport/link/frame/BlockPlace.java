package org.robber.transport.link.frame;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Where the bytes of an arriving block go. */
public final class BlockPlace {
    /** There is no memory for the block now: stop reading, ask again when told to. */
    public static final BlockPlace WAIT = new BlockPlace(null);

    /** The block is not needed: skip its bytes. */
    public static final BlockPlace DISCARD = new BlockPlace(null);

    private final @Nullable ByteBuf bytes;

    private BlockPlace(@Nullable ByteBuf bytes) {
        this.bytes = bytes;
    }

    /** Into this buffer, which has room for exactly the block and lives until the block is reported as received. */
    public static BlockPlace in(ByteBuf bytes) {
        return new BlockPlace(bytes);
    }

    /** The buffer; null for {@link #WAIT} and {@link #DISCARD}. */
    @Nullable
    public ByteBuf bytes() {
        return bytes;
    }
}
