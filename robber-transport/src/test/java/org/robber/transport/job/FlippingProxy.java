package org.robber.transport.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bad line: passes bytes on in both directions, but turns over one bit wherever the listening side sends a long run of
 * {@link #MARK}s, as often as it was told to.
 */
final class FlippingProxy implements AutoCloseable {
    static final byte MARK = (byte) 0xA5;
    private static final int RUN_BYTES = 64;

    private final ServerSocket listening;
    private final InetSocketAddress target;
    private final AtomicInteger flipsLeft;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    FlippingProxy(InetSocketAddress target, int flips) throws IOException {
        this.target = target;
        this.flipsLeft = new AtomicInteger(flips);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    int flipsLeft() {
        return flipsLeft.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                Socket far = new Socket(target.getAddress(), target.getPort());
                threads.execute(() -> pass(near, far, false));
                threads.execute(() -> pass(far, near, true));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pass(Socket from, Socket to, boolean flip) {
        byte[] buffer = new byte[1 << 16];
        int markedBytes = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
                if (flip) {
                    markedBytes = flipIn(buffer, bytes, markedBytes);
                }
                out.write(buffer, 0, bytes);
            }
        } catch (IOException e) {
            // Either side went away: so do we.
        }
    }

    /** One flip per run, also where a run goes on from one read to the next; returns how long the run at the end is. */
    private int flipIn(byte[] buffer, int bytes, int markedBytesBefore) {
        int markedBytes = markedBytesBefore;
        for (int at = 0; at < bytes; at++) {
            markedBytes = buffer[at] == MARK ? markedBytes + 1 : 0;
            if (markedBytes == RUN_BYTES && flipsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                buffer[at] ^= 1;
            }
        }
        return markedBytes;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
