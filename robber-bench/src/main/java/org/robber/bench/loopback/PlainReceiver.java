package org.robber.bench.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Set;
import org.robber.bench.ProcessMeter;

/** A receiving process of the plain copy: reads the stream to its end and puts the bytes in their place. */
final class PlainReceiver {
    private static final Set<String> OPTIONS = Set.of("port", "size", "place", "target", "checksum", "report");

    private PlainReceiver() {}

    /** Receives the data once. */
    public static void main(String[] args) throws IOException {
        Arguments arguments = Arguments.parse(OPTIONS, args);
        long sizeBytes = arguments.number("size");
        long cpuBeforeReady = ProcessMeter.cpuNanos();
        try (PlainSink sink =
                PlainSink.open(Place.valueOf(arguments.text("place")), sizeBytes, Path.of(arguments.text("target")))) {
            long cpuReady = ProcessMeter.cpuNanos();
            try (SocketChannel socket = SocketChannel.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), arguments.count("port")))) {
                long cpuBefore = ProcessMeter.cpuNanos();
                long started = ProcessMeter.clockNanos();
                long received = 0;
                while (received < sizeBytes) {
                    received += sink.readFrom(socket, received);
                }
                long finished = ProcessMeter.clockNanos();
                // The first receiver to finish must not take the processors from the others by checking.
                PlainSink.awaitEnd(socket);
                long cpu = ProcessMeter.cpuNanos();
                long peakResidentBytes = ProcessMeter.peakResidentBytes();
                sink.check(arguments.number("checksum"));
                new NodeReport(
                                started,
                                started,
                                finished,
                                cpu - cpuBefore,
                                cpu - (cpuReady - cpuBeforeReady),
                                received,
                                0,
                                0,
                                0,
                                peakResidentBytes)
                        .writeTo(Path.of(arguments.text("report")));
            }
        }
    }
}
