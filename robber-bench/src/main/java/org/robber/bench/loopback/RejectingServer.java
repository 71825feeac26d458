package org.robber.bench.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A server that closes every connection at once. It shows what a {@link FloodClient} costs by itself. */
final class RejectingServer implements AutoCloseable {
    private final ServerSocketChannel server;

    RejectingServer() throws IOException {
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        Thread thread = new Thread(this::closeAll, "rejecting-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private void closeAll() {
        try {
            while (server.isOpen()) {
                try (SocketChannel client = server.accept()) {
                    client.shutdownInput();
                }
            }
        } catch (IOException e) {
            // the server is closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
