package org.robber.bench.loopback;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.robber.JobOptions;
import org.robber.TlsOptions;

/**
 * What strangers at the ports of a running job cost it: the same job in peace, beside a {@link Besieger} at another door, since
 * he takes processors from the job wherever he knocks, and besieged, in turn. Run it by {@code robber-bench/bin/siege}.
 */
public final class Siege {
    private static final String USAGE = """
        A job in peace, beside a flood of connections to another door, and besieged by it; prints seconds and ratios.

          --case=3:1G             receivers and size
          --per-second=200        connections of the stranger
          --runs=5                runs of each, in turn
          --class-archive=on      on or off, as for loopback
          --directory=/dev/shm    where the data lies
        """;

    private static final double MOST_TIME = 1.05;
    private static final Set<String> NAMES = Set.of("case", "per-second", "runs", "class-archive", "directory");

    private final Arguments arguments;
    private final PrintStream results;
    private int visits;

    Siege(PrintStream results, String... args) {
        this.arguments = Arguments.parse(NAMES, args);
        this.results = results;
    }

    /** Measures; exit code 0 whether the goal is met or not, 1 if a run failed, 2 if the options are wrong. */
    @SuppressWarnings("SystemExitOutsideMain") // the exit code is this program's answer to scripts
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.print(USAGE);
            return;
        }
        try {
            new Siege(System.out, args).run();
        } catch (IllegalArgumentException e) {
            System.err.println("siege: " + e.getMessage() + "\n\n" + USAGE);
            System.exit(2);
        } catch (IOException e) {
            System.err.println("siege: " + e.getMessage());
            System.exit(1);
        }
    }

    /** Returns how much longer the job takes, by the medians. */
    double run() throws IOException {
        LoopbackOptions options = LoopbackOptions.parse(
                "--cases=" + arguments.text("case", "3:1G"),
                "--contenders=" + Contender.ROBBER_TLS_FILE.label(),
                "--runs=" + arguments.count("runs", 5),
                "--class-archive=" + arguments.text("class-archive", "on"),
                "--directory=" + arguments.text("directory", "/dev/shm"));
        if (!options.classArchive() || !ClassArchive.isPossible()) {
            return run(options, new String[0]);
        }
        try (ClassArchive archive = ClassArchive.make(options)) {
            return run(options, archive.flag());
        }
    }

    private double run(LoopbackOptions options, String... moreFlags) throws IOException {
        LoopbackCase one = options.cases().get(0);
        double[] peace = new double[options.runs()];
        double[] elsewhere = new double[options.runs()];
        double[] siege = new double[options.runs()];
        try (ScratchFolder folder = new ScratchFolder(options.directory())) {
            Path source = folder.file("data");
            ContenderRunner runner = new ContenderRunner(
                    options, one, source, TestData.writeTo(source, one.sizeBytes()), flags(options, moreFlags));
            for (int run = 0; run < options.runs(); run++) {
                peace[run] = runner.run(Contender.ROBBER_TLS_FILE).seconds();
                try (Decoy decoy = new Decoy()) {
                    List<Integer> elsewhereOnly = List.of(decoy.port());
                    elsewhere[run] = beside(runner, one, () -> elsewhereOnly);
                }
                siege[run] = beside(runner, one, ListeningPorts::ofChildren);
                print(
                        "%s run %d/%d in peace %.3f s, flood elsewhere %.3f s, besieged %.3f s by %d connections%n",
                        one, run + 1, options.runs(), peace[run], elsewhere[run], siege[run], visits);
            }
        }
        print(
                "flood elsewhere / in peace: %.3f, the processors that the flood itself takes%n",
                ratio(elsewhere, peace));
        print("besieged / in peace: %.3f%n", ratio(siege, peace));
        double ratio = ratio(siege, elsewhere);
        print(
                "%s besieged / flood elsewhere: %.3f, goal at most %.2f%n",
                ratio <= MOST_TIME ? "PASS" : "MISS", ratio, MOST_TIME);
        return ratio;
    }

    private double beside(ContenderRunner runner, LoopbackCase one, Supplier<List<Integer>> doors) throws IOException {
        int perSecond = arguments.count("per-second", 200);
        // a data port each, and that of rank 0
        try (Besieger besieger = new Besieger(overheard(), perSecond, doors, one.processes() + 1)) {
            double seconds = runner.run(Contender.ROBBER_TLS_FILE).seconds();
            visits = besieger.visits();
            return seconds;
        }
    }

    /** The median of the quotients of runs that followed each other. */
    private static double ratio(double[] dividends, double[] divisors) {
        double[] ratios = new double[dividends.length];
        for (int run = 0; run < ratios.length; run++) {
            ratios[run] = dividends[run] / divisors[run];
        }
        return median(ratios);
    }

    private static List<String> flags(LoopbackOptions options, String... more) {
        List<String> flags = new ArrayList<>(options.jvmFlags());
        flags.addAll(Arrays.asList(more));
        return flags;
    }

    /** A node that the others would let in: what it says to one is repeated to another. */
    private static JobOptions overheard() {
        return JobOptions.of("loopback", "127.0.0.1", 1, 1, 2)
                .withSecret(LoopbackNode.SECRET.getBytes(StandardCharsets.US_ASCII))
                .withTls(TlsOptions.on());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private void print(String format, Object... values) {
        results.printf(Locale.ROOT, format, values);
        results.flush();
    }
}
