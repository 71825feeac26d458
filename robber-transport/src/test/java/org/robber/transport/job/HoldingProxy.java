package org.robber.transport.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A line that falls silent: once one side has sent so many bytes over all connections, nothing of what it sends comes
 * through any more, until the line is released. What is sent to it does.
 */
final class HoldingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final InetSocketAddress target;
    private final boolean holdsListening;
    private final AtomicLong bytesUntilSilence;
    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** @param holdsListening whether the side is held that listens, or those that have connected to it */
    HoldingProxy(InetSocketAddress target, boolean holdsListening, long bytesUntilSilence) throws IOException {
        this.target = target;
        this.holdsListening = holdsListening;
        this.bytesUntilSilence = new AtomicLong(bytesUntilSilence);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** From now on everything comes through. */
    void release() {
        released.countDown();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                Socket far = new Socket(target.getAddress(), target.getPort());
                threads.execute(() -> pass(near, far, !holdsListening));
                threads.execute(() -> pass(far, near, holdsListening));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pass(Socket from, Socket to, boolean hold) {
        byte[] buffer = new byte[1 << 12];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
                if (hold && bytesUntilSilence.addAndGet(-bytes) < 0) {
                    released.await();
                }
                out.write(buffer, 0, bytes);
            }
        } catch (IOException e) {
            // Either side went away: so do we.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
