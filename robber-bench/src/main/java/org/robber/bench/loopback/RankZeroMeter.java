package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.robber.Robber;
import org.robber.bench.ProcessMeter;

/** Rank 0 of {@link ManyMembers}: measures itself while the members join, while they report, and while they get a broadcast. */
final class RankZeroMeter {
    private static final Set<String> OPTIONS = Set.of("size", "tls", "seconds", "broadcast-bytes", "report");

    private final List<String> lines = new ArrayList<>();
    private long startedNanos = System.nanoTime();
    private long cpuNanos = ProcessMeter.cpuNanos();

    private RankZeroMeter() {}

    /** Prints its port, then serves the members until all have got the broadcast. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = Arguments.parse(OPTIONS, args);
        RankZeroMeter meter = new RankZeroMeter();
        try (Robber robber = Robber.join(
                ManyMembers.job(arguments.count("size"), arguments.text("tls").equals("on")),
                port -> meter.listening(port))) {
            meter.done("join and roster");
            Thread.sleep(TimeUnit.SECONDS.toMillis(arguments.count("seconds")));
            meter.done("reports");
            robber.control().broadcast(new byte[arguments.count("broadcast-bytes")]);
            meter.done("broadcast, said");
        }
        meter.done("broadcast, read by all");
        Files.write(Path.of(arguments.text("report")), meter.lines);
    }

    private void listening(int port) {
        startedNanos = System.nanoTime();
        cpuNanos = ProcessMeter.cpuNanos();
        System.out.println(port);
    }

    private void done(String what) throws IOException {
        long nanos = System.nanoTime();
        long cpu = ProcessMeter.cpuNanos();
        lines.add(String.format(
                Locale.ROOT,
                "  %-24s %7.2f s  %7.2f CPU s  %7d MiB at most so far",
                what,
                (nanos - startedNanos) / 1e9,
                (cpu - cpuNanos) / 1e9,
                ProcessMeter.peakResidentBytes() >> 20));
        startedNanos = nanos;
        cpuNanos = cpu;
    }
}
