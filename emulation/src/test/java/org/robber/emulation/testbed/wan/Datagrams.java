package org.robber.emulation.testbed.wan;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/**
 * A program that sends or receives numbered datagrams, which nothing repeats, delays or reorders but the network.
 *
 * <pre>
 * receive SILENCE_MILLIS                       says ready; then, when none has come for so long, a line for each: NUMBER NANOS
 * send ADDRESS COUNT PACKET_BYTES              sends them as fast as it can; the size is that of the IP packet
 * </pre>
 */
public final class Datagrams {

    private static final int PORT = 7200;
    private static final int HEADERS = 28;
    private static final int BUFFER_BYTES = 32 << 20;

    private Datagrams() {}

    /** Does what it is told. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("receive")) {
            receive(Integer.parseInt(args[1]));
        } else {
            send(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        }
    }

    private static void receive(int silenceMillis) throws IOException {
        StringBuilder lines = new StringBuilder();
        try (DatagramSocket socket = new DatagramSocket(PORT)) {
            socket.setReceiveBufferSize(BUFFER_BYTES);
            System.out.println("ready");
            ByteBuffer bytes = ByteBuffer.allocate(65536);
            DatagramPacket packet = new DatagramPacket(bytes.array(), bytes.capacity());
            try {
                while (true) {
                    socket.receive(packet);
                    lines.append(bytes.getInt(0))
                            .append(' ')
                            .append(System.nanoTime())
                            .append('\n');
                    socket.setSoTimeout(silenceMillis);
                }
            } catch (SocketTimeoutException silence) {
                System.out.print(lines);
            }
        }
    }

    private static void send(String address, int count, int packetBytes) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            ByteBuffer bytes = ByteBuffer.allocate(packetBytes - HEADERS);
            InetAddress to = InetAddress.getByName(address);
            for (int i = 0; i < count; i++) {
                bytes.putInt(0, i);
                socket.send(new DatagramPacket(bytes.array(), bytes.capacity(), to, PORT));
            }
        }
    }
}
