package org.robber.transport.reach;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the kernel copy the bytes of a block straight to where they belong: before each read the frame reader is asked
 * whether it waits for the rest of a block, and if so the read goes into the block's own place instead of a buffer from
 * which it would have to be copied.
 */
public final class PlacedReceive extends DefaultMaxMessagesRecvByteBufAllocator {
    /** Enough for hundreds of small messages. Bytes of a block that come in such a read must be copied. */
    static final int SMALL_READ_BYTES = 8 << 10;

    /** Bytes that are decrypted or passed on do not go to a place at once, so few large reads are best. */
    private static final int LARGE_READ_BYTES = 256 << 10;

    private static final int READS_PER_TURN = 16;

    private @Nullable Supplier<@Nullable ByteBuf> place;
    private int readBytes = SMALL_READ_BYTES;

    /** For a new connection: Netty asks once, at the first read, and keeps what it got. */
    @SuppressWarnings("deprecation") // Netty has no other way to choose the buffer that is read into
    public static void install(Channel channel) {
        channel.config().setOption(ChannelOption.RCVBUF_ALLOCATOR, new PlacedReceive());
    }

    private PlacedReceive() {
        super(READS_PER_TURN);
    }

    /**
     * From now on the source tells where the next read goes.
     *
     * @param source the room for the rest of a block, to be released by the reader; or null if no block is due
     */
    public static void direct(Channel channel, Supplier<@Nullable ByteBuf> source) {
        PlacedReceive installed = (PlacedReceive) channel.config().getRecvByteBufAllocator();
        installed.place = source;
    }

    /** From now on reads are large, and go to no place. */
    public static void large(Channel channel) {
        PlacedReceive installed = (PlacedReceive) channel.config().getRecvByteBufAllocator();
        installed.readBytes = LARGE_READ_BYTES;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty has no other way to choose the buffer that is read into
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                Supplier<@Nullable ByteBuf> source = place;
                ByteBuf bytes = source == null ? null : source.get();
                return bytes != null ? bytes : allocator.ioBuffer(readBytes, readBytes);
            }

            @Override
            public int guess() {
                return readBytes;
            }
        };
    }
}
