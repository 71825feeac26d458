package org.robber.bench.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A door that leads nowhere: whoever comes is sent away at once. What a {@link Besieger} costs by itself shows here. */
final class Decoy implements AutoCloseable {
    private final ServerSocketChannel door;

    Decoy() throws IOException {
        door = ServerSocketChannel.open();
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        Thread thread = new Thread(this::sendAway, "decoy");
        thread.setDaemon(true);
        thread.start();
    }

    int port() throws IOException {
        return ((InetSocketAddress) door.getLocalAddress()).getPort();
    }

    private void sendAway() {
        try {
            while (door.isOpen()) {
                try (SocketChannel visitor = door.accept()) {
                    visitor.shutdownInput();
                }
            }
        } catch (IOException e) {
            // closed: nobody is expected any more
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
