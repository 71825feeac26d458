package org.robber.bench.loopback;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.bench.Median;
import org.robber.bench.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what connections of unauthenticated clients cost a running job. Three runs follow each other: the job undisturbed, the job
 * beside a {@link FloodClient} that connects to another port and so takes only processor time, and the job whose own ports are
 * flooded. Run it by {@code robber-bench/bin/connection-flood}.
 */
@Command(
        name = "connection-flood",
        description =
                "Runs a job undisturbed, beside a flood of connections to another port, and with its own ports flooded;"
                        + " prints seconds and ratios.",
        showDefaultValues = true)
public final class ConnectionFlood implements Callable<Integer> {
    private static final double MOST_TIME = 1.05;

    @Option(names = "--case", paramLabel = "RECEIVERS:SIZE", description = "receivers and size")
    private String oneCase = "3:1G";

    @Option(names = "--per-second", paramLabel = "N", description = "connections of the flood")
    private int perSecond = 200;

    @Option(names = "--runs", paramLabel = "N", description = "runs of each, in turn")
    private int runs = 5;

    @Option(names = "--class-archive", paramLabel = "on|off", description = "as for loopback")
    private String classArchive = "on";

    @Option(names = "--directory", paramLabel = "DIR", description = "folder for the data")
    private Path directory = Path.of("/dev/shm");

    private final PrintStream results;
    private int connections;

    ConnectionFlood(PrintStream results) {
        this.results = results;
    }

    /** Measures; exit code 0 whether the goal is met or not, 1 if a run failed, 2 if the options are wrong. */
    public static void main(String[] args) {
        System.exit(Program.execute(new ConnectionFlood(System.out), args));
    }

    /** Measures how much longer the job takes, by the medians. */
    @Override
    public Integer call() throws IOException {
        checkArgument(perSecond >= 1, "--per-second=%s is not at least 1", perSecond);
        LoopbackOptions options = LoopbackOptions.parse(
                "--cases=" + oneCase,
                "--contenders=" + Contender.ROBBER_TLS_FILE.label(),
                "--runs=" + runs,
                "--class-archive=" + classArchive,
                "--directory=" + directory);
        try (ClassArchive archive = ClassArchive.make(options)) {
            run(options, archive.jvmFlags());
        }
        return 0;
    }

    private void run(LoopbackOptions options, List<String> jvmFlags) throws IOException {
        LoopbackCase one = options.cases().get(0);
        double[] undisturbed = new double[options.runs()];
        double[] otherPortFlooded = new double[options.runs()];
        double[] flooded = new double[options.runs()];
        try (ScratchFolder folder = new ScratchFolder(options.directory())) {
            Path source = folder.file("data");
            ContenderRunner runner =
                    new ContenderRunner(options, one, source, TestData.writeTo(source, one.sizeBytes()), jvmFlags);
            for (int run = 0; run < options.runs(); run++) {
                undisturbed[run] = runner.run(Contender.ROBBER_TLS_FILE).seconds();
                try (RejectingServer server = new RejectingServer()) {
                    List<Integer> otherPort = List.of(server.port());
                    otherPortFlooded[run] = beside(runner, one, () -> otherPort);
                }
                flooded[run] = beside(runner, one, ListeningPorts::ofChildren);
                print(
                        "%s run %d/%d undisturbed %.3f s, other port flooded %.3f s, job flooded %.3f s by %d"
                                + " connections%n",
                        one,
                        run + 1,
                        options.runs(),
                        undisturbed[run],
                        otherPortFlooded[run],
                        flooded[run],
                        connections);
            }
        }
        print(
                "other port flooded / undisturbed: %.3f, the processors that the flood itself takes%n",
                ratio(otherPortFlooded, undisturbed));
        print("job flooded / undisturbed: %.3f%n", ratio(flooded, undisturbed));
        double ratio = ratio(flooded, otherPortFlooded);
        print(
                "%s job flooded / other port flooded: %.3f, goal at most %.2f%n",
                ratio <= MOST_TIME ? "PASS" : "MISS", ratio, MOST_TIME);
    }

    private double beside(ContenderRunner runner, LoopbackCase one, Supplier<List<Integer>> ports) throws IOException {
        // a data port each, and that of rank 0
        try (FloodClient flood = new FloodClient(recordedNode(), perSecond, ports, one.processes() + 1)) {
            double seconds = runner.run(Contender.ROBBER_TLS_FILE).seconds();
            connections = flood.connections();
            checkState(connections > 0, "the job ended before the flood had made a connection");
            return seconds;
        }
    }

    /** The median of the quotients of runs that followed each other. */
    private static double ratio(double[] dividends, double[] divisors) {
        double[] ratios = new double[dividends.length];
        for (int run = 0; run < ratios.length; run++) {
            ratios[run] = dividends[run] / divisors[run];
        }
        return Median.of(ratios);
    }

    /** A node that the others would let in: what it says to one is repeated to another. */
    private static JobOptions recordedNode() {
        return JobOptions.of("loopback", "127.0.0.1", 1, 1, 2)
                .withSecret(LoopbackNode.SECRET.getBytes(StandardCharsets.US_ASCII))
                .withTls(TlsOptions.on());
    }

    private void print(String format, Object... values) {
        results.printf(Locale.ROOT, format, values);
        results.flush();
    }
}
