package org.robber.emulation.testbed.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory of this machine.
 *
 * @param availableBytes available without swapping
 * @param freeBytes unused, not even for caches
 */
record MemoryInfo(long availableBytes, long freeBytes) {

    private static final Path FILE = Path.of("/proc/meminfo");

    /** As it is now. */
    static MemoryInfo now() {
        try {
            return of(Files.readAllLines(FILE));
        } catch (IOException e) {
            throw new TestbedException("cannot find out how much memory there is: " + e.getMessage(), e);
        }
    }

    /** Reads it from the kernel. */
    static MemoryInfo of(List<String> lines) {
        return new MemoryInfo(bytes(lines, "MemAvailable"), bytes(lines, "MemFree"));
    }

    private static long bytes(List<String> lines, String name) {
        for (String line : lines) {
            if (line.startsWith(name + ":")) {
                String kibibytes =
                        line.substring(name.length() + 1).replace("kB", "").strip();
                return Long.parseLong(kibibytes) << 10;
            }
        }
        throw new TestbedException(FILE + " does not say " + name);
    }
}
