package org.robber;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process of {@link LargeCollectivesTest}: takes part in an allToAll of 1 GB, and says how much memory that needed beside the buffers. */
final class AllToAllNode {
    /** An eighth of the heap of 256 MiB for pieces of others, as much again for other uses of the heap, and 64 MiB for pieces on their way. */
    static final long MOST_GROWTH_MIB = 128;

    private static final int BYTES_OF_A_NODE = 1_000_000_000 / 4;

    private AllToAllNode() {}

    /** Arguments: rank, size, port, cluster. */
    public static void main(String[] args) throws IOException {
        JobOptions options = JobOptions.of(
                        "memory",
                        "127.0.0.1",
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[0]),
                        Integer.parseInt(args[1]))
                .withCluster(args[3]);
        try (Robber robber = Robber.join(options, port -> System.out.println("port " + port))) {
            Communicator world = robber.world();
            ByteBuffer out = filled(world.rank());
            ByteBuffer in = filled(-1);
            // Classes and connections are there after that.
            world.allToAll(out.slice(0, 400_000), in.slice(0, 400_000));
            long before = mebibytes("VmRSS");
            world.allToAll(out, in);
            long peak = mebibytes("VmHWM");
            int part = BYTES_OF_A_NODE / world.size();
            for (int rank = 0; rank < world.size(); rank++) {
                if (in.get(rank * part) != (byte) rank || in.get((rank + 1) * part - 1) != (byte) rank) {
                    throw new IllegalStateException("wrong bytes from rank " + rank);
                }
            }
            System.out.println("peak " + peak + " MiB, before the call " + before + " MiB, growth " + (peak - before)
                    + " MiB, buffers " + ((2L * BYTES_OF_A_NODE) >> 20) + " MiB");
        }
    }

    private static ByteBuffer filled(int value) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES_OF_A_NODE);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) value);
        }
        return buffer;
    }

    private static long mebibytes(String field) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) >> 10)
                .findFirst()
                .orElseThrow();
    }
}
