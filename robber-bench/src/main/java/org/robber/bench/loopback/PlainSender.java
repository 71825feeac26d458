package org.robber.bench.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.robber.bench.ProcessMeter;

/**
 * The sending process of the plain copy: hands the file to the kernel once per receiver, with a thread for each, and never
 * sees a byte of it. It prints the port at which it listens.
 */
final class PlainSender {
    private static final Set<String> OPTIONS = Set.of("source", "size", "receivers", "report");

    private PlainSender() {}

    /** Sends one file to a given number of receivers. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.parse(OPTIONS, args);
        int receivers = arguments.count("receivers");
        long sizeBytes = arguments.number("size");
        List<SocketChannel> sockets = new ArrayList<>();
        try (FileChannel source = FileChannel.open(Path.of(arguments.text("source")), StandardOpenOption.READ);
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), receivers);
            System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
            while (sockets.size() < receivers) {
                sockets.add(server.accept());
            }
            long cpuBefore = ProcessMeter.cpuNanos();
            long started = ProcessMeter.clockNanos();
            sendAll(source, sizeBytes, sockets);
            long finished = ProcessMeter.clockNanos();
            long cpu = ProcessMeter.cpuNanos();
            new NodeReport(
                            started,
                            started,
                            finished,
                            cpu - cpuBefore,
                            cpu,
                            0,
                            0,
                            0,
                            0,
                            ProcessMeter.peakResidentBytes())
                    .writeTo(Path.of(arguments.text("report")));
        }
    }

    private static void sendAll(FileChannel source, long sizeBytes, List<SocketChannel> sockets) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(sockets.size());
        try {
            List<Future<Long>> sending = new ArrayList<>();
            for (SocketChannel socket : sockets) {
                sending.add(threads.submit(() -> send(source, sizeBytes, socket)));
            }
            for (Future<Long> one : sending) {
                one.get();
            }
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static long send(FileChannel source, long sizeBytes, SocketChannel target) throws IOException {
        long sent = 0;
        while (sent < sizeBytes) {
            sent += source.transferTo(sent, sizeBytes - sent, target);
        }
        return sent;
    }
}
