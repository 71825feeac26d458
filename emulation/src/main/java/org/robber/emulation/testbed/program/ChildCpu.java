package org.robber.emulation.testbed.program;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * Processor time of the ended processes that this process has started, including their own ended children. The difference of two
 * values is the cost of the time in between.
 */
final class ChildCpu {

    private static final Path SELF = Path.of("/proc/self/stat");

    /** Linux reports 100 ticks a second to programs, also if the kernel counts in other units. */
    private static final long NANOS_PER_TICK = 10_000_000;

    /** Fields after the name of the program, which is in brackets and may hold anything. */
    private static final int USER_FIELD = 13;

    private static final int SYSTEM_FIELD = 14;

    private ChildCpu() {}

    /** User and system time so far, exact to 10 ms. */
    static long nanos() {
        try {
            // the name may be no UTF-8
            return nanos(Files.readString(SELF, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new TestbedException("cannot read processor times: " + e, e);
        }
    }

    /** The same of such a line, as proc(5) describes it. */
    static long nanos(String stat) {
        List<String> fields = Splitter.on(' ')
                .splitToList(stat.substring(stat.lastIndexOf(')') + 2).strip());
        return (Long.parseLong(fields.get(USER_FIELD)) + Long.parseLong(fields.get(SYSTEM_FIELD))) * NANOS_PER_TICK;
    }
}
