package org.robber.transport.link.pace;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import org.robber.core.protocol.Message;

/**
 * Decides how many bytes of pieces are handed to a connection at a time, and in blocks of which size. Messages queue behind these bytes.
 * Inside a cluster that takes next to no time, so large blocks are best. On a slow line between clusters messages would wait for seconds;
 * there the window is as large as the line carries in {@value #PACED_MILLIS} ms, and the kernel is told to keep as little. This is longer
 * than a process waits for a busy processor, so the line is not idle meanwhile. Requests that wait as long cost the other direction
 * nothing, since blocks tell how many pieces wait ({@link Message.PieceBlock}).
 *
 * <p>Belongs to the connection's event loop.
 */
public final class SendWindow {
    /** Large enough that the cost per block doesn't count, small enough that a message soon gets its turn. */
    public static final int LARGEST_BLOCK_BYTES = 256 << 10;

    /** Inside a machine a piece is one block, up to the largest block of the protocol: each block costs a new process some 0.1 ms. */
    static final int MACHINE_BLOCK_BYTES = 4 << 20;

    /** One block leaves, one is being prepared, and one bridges the time between the two. */
    static final int BLOCKS = 3;

    /** Two of the largest packets; for smaller blocks the heads cost more than is gained. */
    static final int SMALLEST_BLOCK_BYTES = 16 << 10;

    private static final int PACED_MILLIS = 150;

    /** Measurements over shorter spans show buffers instead of lines. Only time in which there was something to send counts. */
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

    /** For a peer at this distance. A line that may be slow is taken for slow at first. */
    public static SendWindow at(Distance distance, Channel channel) {
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

    public int blockBytes() {
        return blockBytes;
    }

    /** Whether the connection may be given another block. */
    public boolean hasRoom() {
        return unsentBytes <= (long) (BLOCKS - 1) * blockBytes;
    }

    /** Whether so little is left that more should be handed over. */
    public boolean isLow() {
        return unsentBytes < (long) BLOCKS / 2 * blockBytes;
    }

    /** The connection was given a block. */
    public void handedOver(int bytes, long nowNanos) {
        if (unsentBytes == 0) {
            busySinceNanos = nowNanos;
        }
        unsentBytes += bytes;
    }

    /** A block has left. */
    public void left(int bytes, long nowNanos) {
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

    /** Messages cannot overtake bytes that the kernel has not sent yet. */
    private void limitKernel() {
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) BLOCKS * blockBytes);
        }
    }
}
