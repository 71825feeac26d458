package org.robber.bench.loopback;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.transport.sockets.Sockets;

/**
 * What rank 0 spends on a job of many members: one process of rank 0, and in this process a control connection for each member, over
 * loopback. Run it by {@code robber-bench/bin/many-members}; {@code docs/lab/2026-11-many-members.md} has figures.
 */
public final class ManyMembers {
    private static final String USAGE = """
        What rank 0 spends on many members: they join, report for a while, and get one broadcast; prints seconds, CPU and memory.

          --members=2000          members beside rank 0
          --tls=off               on or off
          --report-millis=250     how often each member reports progress
          --report-seconds=5      how long
          --deaf-seconds=8        how long no member reads, from the moment it has joined: a slow line
          --broadcast-kib=1000    size of the broadcast
          --directory=/dev/shm    where reports and logs lie
        """;

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 2;
    private static final Set<String> NAMES =
            Set.of("members", "tls", "report-millis", "report-seconds", "deaf-seconds", "broadcast-kib", "directory");

    private ManyMembers() {}

    /** Measures; exit code 1 if the run failed, 2 if the options are wrong. */
    @SuppressWarnings("SystemExitOutsideMain") // the exit code is this program's answer to scripts
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.print(USAGE);
            return;
        }
        try {
            run(System.out, args);
        } catch (IllegalArgumentException e) {
            System.err.println("many-members: " + e.getMessage() + "\n\n" + USAGE);
            System.exit(2);
        } catch (IOException e) {
            System.err.println("many-members: " + e.getMessage());
            System.exit(1);
        }
    }

    static void run(PrintStream results, String... args) throws IOException {
        Arguments arguments = Arguments.parse(NAMES, args);
        int members = arguments.count("members", 2000);
        String tls = arguments.text("tls", "off");
        JobOptions job = job(members + 1, tls);
        int reportMillis = arguments.count("report-millis", 250);
        int deafSeconds = arguments.count("deaf-seconds", 8);
        int broadcastBytes = arguments.count("broadcast-kib", 1000) << 10;
        try (ScratchFolder scratch = new ScratchFolder(Path.of(arguments.text("directory", "/dev/shm")));
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
                            arguments.count("report-seconds", 5),
                            "broadcast-bytes",
                            broadcastBytes,
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
    static JobOptions job(int size, String tls) {
        return JobOptions.of("many", "127.0.0.1", 0, 0, size)
                .withSecret(new byte[] {1, 2, 3})
                .withConnectTimeout(LIMIT)
                .withTls(
                        switch (tls) {
                            case "on" -> TlsOptions.on();
                            case "off" -> TlsOptions.off();
                            default -> throw new IllegalArgumentException("--tls=" + tls + " is neither on nor off");
                        });
    }
}
