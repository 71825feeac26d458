package org.robber.emulation.testbed.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this machine has to give. */
final class MemoryInfo {

    private static final Path FILE = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";
    private static final String FREE = "MemFree:";

    private MemoryInfo() {}

    /** Bytes that can be had without swapping. */
    static long availableBytes() {
        return bytes(lines(), AVAILABLE);
    }

    /** Bytes that hold nothing, not even what could be read again. */
    static long freeBytes() {
        return bytes(lines(), FREE);
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(FILE);
        } catch (IOException e) {
            throw new TestbedException("cannot find out how much memory there is: " + e.getMessage(), e);
        }
    }

    private static long bytes(List<String> lines, String name) {
        for (String line : lines) {
            if (line.startsWith(name)) {
                String kibibytes =
                        line.substring(name.length()).replace("kB", "").strip();
                return Long.parseLong(kibibytes) << 10;
            }
        }
        throw new TestbedException(FILE + " does not say " + name.replace(":", ""));
    }

    static long availableBytes(List<String> lines) {
        return bytes(lines, AVAILABLE);
    }
}
