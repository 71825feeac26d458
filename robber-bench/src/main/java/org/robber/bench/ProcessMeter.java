package org.robber.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The processor time and memory of this process so far. Needs Linux with {@code /proc}. */
public final class ProcessMeter {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMeter() {}

    /** CPU time, user and system, of all threads since the process began; the kernel counts in ticks of 10 ms. */
    public static long cpuNanos() {
        // Not the management bean: loading its classes costs more CPU than a small transfer.
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("this system does not tell the CPU time of a process"))
                .toNanos();
    }

    /** The most memory that was resident at one time. */
    public static long peakResidentBytes() throws IOException {
        return kernelBytes(STATUS, "VmHWM").orElseThrow(() -> new IllegalStateException("no VmHWM in " + STATUS));
    }

    /** A number of a file of the kernel, which counts in KiB. */
    public static OptionalLong kernelBytes(Path file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name + ":"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(kib -> Long.parseLong(kib) << 10)
                    .findFirst();
        }
    }

    /** Time of the day in nanoseconds: the one clock that processes share by contract. */
    public static long clockNanos() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
