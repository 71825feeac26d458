package org.robber.bench.loopback;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;

/**
 * What to measure, and how.
 *
 * @param cases how many receivers of how much data, each compared for itself
 * @param contenders who takes part, in this order within each run
 * @param runs how often each contender runs in each case, at least 1
 * @param clusters how many clusters Robber's nodes form, as equal in size as can be; fewer if there are fewer nodes
 * @param channel how Robber's channel works
 * @param jvmFlags flags of every process, of Robber and plain copies alike
 * @param classArchive whether processes find their classes in an archive, made beforehand, as those of the launcher do
 * @param directory where the data lies; memory-backed, or the disk is measured
 * @param timeout how long one run may take
 * @param json where to write all figures, or null
 */
record LoopbackOptions(
        List<LoopbackCase> cases,
        List<Contender> contenders,
        int runs,
        int clusters,
        ChannelOptions channel,
        List<String> jvmFlags,
        boolean classArchive,
        Path directory,
        Duration timeout,
        @Nullable Path json) {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String TEMPORARY = System.getProperty("java.io.tmpdir");

    static final String USAGE = """
        Robber against plain socket copies over loopback, in fresh processes; prints medians, ratios and goals.

          --cases=1:1G,4:1G,8:1G,7:256M,15:256M   receivers and size of each case
          --contenders=NAME,...                   plain-discard, plain-buffer, plain-file, robber-buffer, robber-file;
                                                  and, if asked for, robber-tls-buffer, robber-tls-file
          --runs=3                                runs of each contender in each case, in turn
          --clusters=2                            clusters that Robber's nodes form
          --strategy=robber --piece-size=0 --digest=xxh3-128 --window=5
                                                  Robber's channel; piece size 0: chosen by the size of the data
          --jvm-flags='...'                       flags of all processes; default: those of robber-cli's launcher for this digest
          --class-archive=on                      on or off: classes from an archive, as the launcher does
          --directory=/dev/shm                    where the data lies
          --timeout=300                           seconds that one run may take
          --json=FILE                             write all figures there, too
        """;

    private static final Set<String> NAMES = Set.of(
            "cases",
            "contenders",
            "runs",
            "clusters",
            "strategy",
            "piece-size",
            "digest",
            "window",
            "jvm-flags",
            "class-archive",
            "directory",
            "timeout",
            "json");

    LoopbackOptions {
        if (runs < 1 || clusters < 1 || timeout.isZero()) {
            throw new IllegalArgumentException("--runs, --clusters and --timeout are at least 1");
        }
        for (LoopbackCase one : cases) {
            if (one.sizeBytes() > Integer.MAX_VALUE
                    && contenders.stream().anyMatch(contender -> contender.place() == Place.BUFFER)) {
                throw new IllegalArgumentException(
                        "the data of case " + one + " fits no buffer: leave out the contenders that keep it in one");
            }
        }
    }

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException if it says anything that is not understood
     */
    static LoopbackOptions parse(String... args) {
        Arguments arguments = Arguments.parse(NAMES, args);
        ChannelOptions defaults = ChannelOptions.defaults();
        String json = arguments.text("json", "");
        String digest = arguments.text("digest", defaults.digest());
        return new LoopbackOptions(
                LoopbackCase.parseAll(arguments.text("cases", "1:1G,4:1G,8:1G,7:256M,15:256M")),
                contenders(arguments.text("contenders", usualContenders())),
                arguments.count("runs", 3),
                arguments.count("clusters", 2),
                defaults.withStrategy(arguments.text("strategy", defaults.strategy()))
                        .withPieceBytes(pieceBytes(arguments.text("piece-size", "0")))
                        .withDigest(digest)
                        .withRequestWindow(arguments.count("window", defaults.requestWindow())),
                words(arguments.text("jvm-flags", String.join(" ", LauncherFlags.ofThisJava(digest)))),
                isOn(arguments.text("class-archive", "on")),
                Path.of(arguments.text(
                        "directory", Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY.toString() : TEMPORARY)),
                Duration.ofSeconds(arguments.count("timeout", 300)),
                json.isEmpty() ? null : Path.of(json));
    }

    private static String usualContenders() {
        return Arrays.stream(Contender.values())
                .filter(contender -> !contender.isEncrypted())
                .map(Contender::label)
                .collect(Collectors.joining(","));
    }

    private static List<Contender> contenders(String labels) {
        return Arrays.stream(labels.split(",", -1))
                .map(Contender::labelled)
                .distinct()
                .toList();
    }

    private static boolean isOn(String text) {
        if (!text.equals("on") && !text.equals("off")) {
            throw new IllegalArgumentException("--class-archive is on or off, not '" + text + "'");
        }
        return text.equals("on");
    }

    private static int pieceBytes(String text) {
        return text.equals("0") ? 0 : Math.toIntExact(DataSize.parse(text));
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }
}
