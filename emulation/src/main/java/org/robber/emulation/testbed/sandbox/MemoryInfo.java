package org.robber.emulation.testbed.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this machine has to give. */
final class MemoryInfo {

    private static final Path FILE = Path.of("/proc/meminfo");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

    private MemoryInfo() {}

    /** Bytes that can be had without swapping. */
    static long availableBytes() {
        try {
            return availableBytes(Files.readAllLines(FILE));
        } catch (IOException e) {
            throw new TestbedException("cannot find out how much memory there is: " + e.getMessage(), e);
        }
    }

    static long availableBytes(List<String> lines) {
        for (String line : lines) {
            Matcher matcher = AVAILABLE.matcher(line);
            if (matcher.matches()) {
                return Long.parseLong(matcher.group(1)) << 10;
            }
        }
        throw new TestbedException(FILE + " does not say how much memory is available");
    }
}
