package org.robber.emulation.testbed.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this machine has to give.
 *
 * @param availableBytes what can be had without swapping
 * @param freeBytes what holds nothing, not even what could be read again
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

    /** What the kernel says. */
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
