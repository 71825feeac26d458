package org.robber.bench.loopback;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.bench.Program;
import org.robber.bench.loopback.LoopbackOptions.OnOff;
import org.robber.transport.sockets.Sockets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of a job with many members at rank 0: one process of rank 0, and in this process a control connection for each member, over
 * loopback. Run it by {@code robber-bench/bin/many-members}; {@code docs/lab/2026-11-many-members.md} has figures.
 */
@Command(
        name = "many-members",
        description = "What rank 0 spends on many members: they join, report for a while, and get one broadcast; prints"
                + " seconds, CPU and memory.",
        showDefaultValues = true)
public final class ManyMembers implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 2;

    @Option(names = "--members", paramLabel = "N", description = "members beside rank 0")
    private int members = 2000;

    @Option(names = "--tls", paramLabel = "on|off", description = "whether connections are encrypted")
    private OnOff tls = OnOff.off;

    @Option(names = "--report-millis", paramLabel = "N", description = "how often each member reports progress")
    private int reportMillis = 250;

    @Option(names = "--report-seconds", paramLabel = "N", description = "how long")
    private int reportSeconds = 5;

    @Option(
            names = "--deaf-seconds",
            paramLabel = "N",
            description = "how long no member reads, from the moment it has joined: a slow line")
    private int deafSeconds = 8;

    @Option(names = "--broadcast-kib", paramLabel = "N", description = "size of the broadcast")
    private int broadcastKib = 1000;

    @Option(names = "--directory", paramLabel = "DIR", description = "where reports and logs lie")
    private Path directory = Path.of("/dev/shm");

    /** Measures; exit code 1 if the run failed, 2 if the options are wrong. */
    public static void main(String[] args) {
        System.exit(Program.execute(new ManyMembers(), args));
    }

    @Override
    public Integer call() throws IOException {
        run(System.out);
        return 0;
    }

    void run(PrintStream results) throws IOException {
        JobOptions job = job(members + 1, tls == OnOff.on);
        try (ScratchFolder scratch = new ScratchFolder(directory);
                ProcessGroup processes = new ProcessGroup(
                        LauncherFlags.ofThisJava(ChannelOptions.defaults().digest()), scratch.path(), LIMIT);
                Sockets sockets = Sockets.open(THREADS)) {
            Path report = scratch.file("report");
            int port = Integer.parseInt(processes.startAndReadLine(
                    RankZeroMeter.class,
                    Arguments.format(Map.of(
                            "size",
                            members + 1,
                            "tls",
                            tls,
                            "seconds",
                            reportSeconds,
                            "broadcast-bytes",
                            broadcastKib << 10,
                            "report",
                            report))));
            for (int rank = 1; rank <= members; rank++) {
                RawMember.connect(sockets, port, new RawMember(job, rank, reportMillis, deafSeconds));
            }
            processes.await();
            List<String> lines = Files.readAllLines(report);
            results.printf(Locale.ROOT, "%d members, TLS %s, a report every %d ms%n", members, tls, reportMillis);
            lines.forEach(results::println);
        }
    }

    /** The options that all agree on, as rank 0 gives them. */
    static JobOptions job(int size, boolean tls) {
        return JobOptions.of("many", "127.0.0.1", 0, 0, size)
                .withSecret(new byte[] {1, 2, 3})
                .withConnectTimeout(LIMIT)
                .withTls(tls ? TlsOptions.on() : TlsOptions.off());
    }
}
