package org.robber.bench.collectives;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How long a call took.
 *
 * @param contender who made it, such as {@code robber}
 * @param call such as {@code allGather}
 * @param bytes as in {@link CollectiveCase}
 * @param leastMicros the shortest time
 * @param micros the median
 * @param mostMicros the longest time
 * @param peakMebibytes the most memory that a process has had so far; 0 if nobody measured it
 */
record Timing(
        String contender,
        String call,
        long bytes,
        double leastMicros,
        double micros,
        double mostMicros,
        double peakMebibytes) {
    private static final int FIELDS = 5;

    /** Reads what {@link CollectiveNode}, or its twin in C, has written. */
    static ImmutableList<Timing> read(String contender, Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> parse(contender, line))
                .collect(ImmutableList.toImmutableList());
    }

    private static Timing parse(String contender, String line) {
        List<String> fields = Splitter.on(' ').splitToList(line);
        if (fields.size() != FIELDS && fields.size() != FIELDS + 1) {
            throw new IllegalArgumentException("no timing: " + line);
        }
        return new Timing(
                contender,
                fields.get(0),
                Long.parseLong(fields.get(1)),
                Double.parseDouble(fields.get(2)),
                Double.parseDouble(fields.get(3)),
                Double.parseDouble(fields.get(4)),
                fields.size() == FIELDS ? 0 : Double.parseDouble(fields.get(FIELDS)));
    }
}
