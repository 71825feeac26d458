package org.robber.transport.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.transport.sockets.Hosts;

/**
 * One end of a connection with a daemon, when both sides have proven the secret: bytes in and out, encrypted if there is a secret. Reading and writing wait,
 * and are not for event loops. Bytes that are not read hold up the other side. Thread-safe.
 */
public final class ServiceConnection implements AutoCloseable {
    private static final int MOST_UNREAD_BYTES = 256 << 10;

    private final Channel channel;
    private final Deque<ByteBuf> unread = new ArrayDeque<>();
    private int unreadBytes;
    private boolean ended;
    private long limitNanos = Long.MAX_VALUE;
    private long limitedSinceNanos;

    ServiceConnection(Channel channel) {
        this.channel = channel;
    }

    /** The address of the other side, as this side sees it; not once the connection is closed. */
    public InetAddress peer() {
        return Hosts.address(channel.remoteAddress());
    }

    /** Limits each wait for bytes from now on, also one that goes on already; after it, reading fails with a {@link SocketTimeoutException}. */
    public synchronized void limitReads(Duration limit) {
        limitNanos = limit.toNanos();
        limitedSinceNanos = System.nanoTime();
        notifyAll();
    }

    /** Waits for bytes without a limit from now on. */
    public synchronized void waitForReads() {
        limitNanos = Long.MAX_VALUE;
    }

    /** What the other side sends, until either side closes the connection. Closing it has no effect. */
    public InputStream input() {
        return new Input();
    }

    /** What the other side gets. Each write returns when its bytes have left this process. Closing it has no effect. */
    public OutputStream output() {
        return new Output();
    }

    /** Idempotent. What was not read is lost. */
    @Override
    public void close() {
        var unused = channel.close();
        end();
    }

    /** Takes over bytes that have come. */
    synchronized void arrived(ByteBuf bytes) {
        if (ended) {
            bytes.release();
            return;
        }
        unread.add(bytes);
        unreadBytes += bytes.readableBytes();
        if (unreadBytes > MOST_UNREAD_BYTES) {
            channel.config().setAutoRead(false);
        }
        notifyAll();
    }

    /** No more will come; what has come can be read, unless this side has closed the connection. */
    synchronized void finish() {
        ended = true;
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        unread.forEach(ByteBuf::release);
        unread.clear();
        notifyAll();
    }

    private synchronized int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        ByteBuf bytes = awaitBytes();
        if (bytes == null) {
            return -1;
        }
        int count = Math.min(length, bytes.readableBytes());
        bytes.readBytes(target, offset, count);
        unreadBytes -= count;
        if (!bytes.isReadable()) {
            unread.remove().release();
        }
        if (unreadBytes <= MOST_UNREAD_BYTES / 2) {
            channel.config().setAutoRead(true);
        }
        return count;
    }

    private @Nullable ByteBuf awaitBytes() throws IOException {
        long start = System.nanoTime();
        try {
            while (unread.isEmpty() && !ended) {
                long now = System.nanoTime();
                long leftNanos = limitNanos - Math.min(now - start, now - limitedSinceNanos);
                if (leftNanos <= 0) {
                    throw new SocketTimeoutException("nothing came in time");
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            }
            return unread.peek();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return ServiceConnection.this.read(target, offset, length);
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            ChannelFuture written = channel.writeAndFlush(Unpooled.copiedBuffer(source, offset, length));
            try {
                written.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
            if (!written.isSuccess()) {
                throw new IOException("the connection has ended", written.cause());
            }
        }
    }
}
