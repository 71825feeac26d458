package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import org.robber.core.protocol.Message;

/**
 * How much of the pieces that a peer asked for is with its connection at a time, and in blocks of what size. Messages queue
 * behind it: inside a cluster for next to no time, so there only the cost per block counts, most of all inside a machine. On a slow line between
 * clusters they would wait for seconds. So there it is what the line carries in {@value #PACED_MILLIS} ms, and the kernel is told to keep
 * as little: more than a process waits for its turn at a busy processor, or the line is idle meanwhile. That requests wait as long for the
 * line that goes the other way costs it nothing, since pieces tell how many wait ({@link Message.PieceBlock}).
 *
 * <p>Belongs to the connection's event loop.
 */
final class SendWindow {
    /** Large enough that the cost per block doesn't count, small enough that a message soon gets its turn. */
    static final int LARGEST_BLOCK_BYTES = 256 << 10;

    /**
     * Inside a machine a piece is one block, as long as the protocol knows such blocks: a process that has just begun takes
     * some 0.1 ms for each.
     */
    static final int MACHINE_BLOCK_BYTES = 4 << 20;

    /** Of two blocks one leaves while the other is made ready; the third is for the moments in between. */
    static final int BLOCKS = 3;

    /** Two packets of the largest kind; less than that costs more for heads than it gains. */
    static final int SMALLEST_BLOCK_BYTES = 16 << 10;

    private static final int PACED_MILLIS = 150;

    /** Shorter spans say more of buffers than of lines. Only time in which there was something to send counts. */
    private static final long SPAN_NANOS = 50_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Channel channel;
    private final boolean paced;
    private int blockBytes;
    private long unsentBytes;

    private double bytesPerSecond;
    private long spanBytes;
    private long spanNanos;
    private long busySinceNanos;

    private SendWindow(Channel channel, boolean paced, int blockBytes) {
        this.channel = channel;
        this.paced = paced;
        this.blockBytes = blockBytes;
    }

    /** For a peer at this distance. What may be a slow line begins as one. */
    static SendWindow at(Distance distance, Channel channel) {
        if (distance == Distance.SAME_MACHINE) {
            return new SendWindow(channel, /* paced= */ false, MACHINE_BLOCK_BYTES);
        }
        if (distance == Distance.SAME_CLUSTER) {
            return new SendWindow(channel, /* paced= */ false, LARGEST_BLOCK_BYTES);
        }
        SendWindow window = new SendWindow(channel, /* paced= */ true, SMALLEST_BLOCK_BYTES);
        window.limitKernel();
        return window;
    }

    int blockBytes() {
        return blockBytes;
    }

    /** Whether the connection may be given another block. */
    boolean hasRoom() {
        return unsentBytes <= (long) (BLOCKS - 1) * blockBytes;
    }

    /** Whether so little is left that it is worth the while to hand over more. */
    boolean isLow() {
        return unsentBytes < (long) BLOCKS / 2 * blockBytes;
    }

    /** The connection was given a block. */
    void handedOver(int bytes, long nowNanos) {
        if (unsentBytes == 0) {
            busySinceNanos = nowNanos;
        }
        unsentBytes += bytes;
    }

    /** A block has left. */
    void left(int bytes, long nowNanos) {
        unsentBytes -= bytes;
        spanBytes += bytes;
        spanNanos += nowNanos - busySinceNanos;
        busySinceNanos = nowNanos;
        if (paced && spanNanos >= SPAN_NANOS) {
            follow(spanBytes * NANOS_PER_SECOND / spanNanos);
            spanNanos = 0;
            spanBytes = 0;
        }
    }

    /** Follows the line's rate in powers of two, so that noise changes nothing. */
    private void follow(double spanBytesPerSecond) {
        bytesPerSecond = bytesPerSecond == 0 ? spanBytesPerSecond : (bytesPerSecond + spanBytesPerSecond) / 2;
        double wantedBytes = bytesPerSecond * PACED_MILLIS / 1000 / BLOCKS;
        int before = blockBytes;
        while (blockBytes < LARGEST_BLOCK_BYTES && wantedBytes >= 2.0 * blockBytes) {
            blockBytes *= 2;
        }
        while (blockBytes > SMALLEST_BLOCK_BYTES && wantedBytes < blockBytes / 2.0) {
            blockBytes /= 2;
        }
        if (blockBytes != before) {
            limitKernel();
        }
    }

    /** What the kernel has not sent yet, nobody can overtake either. */
    private void limitKernel() {
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) BLOCKS * blockBytes);
        }
    }
}
