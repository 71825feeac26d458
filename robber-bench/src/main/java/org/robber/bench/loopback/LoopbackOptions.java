package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.bench.Program;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What {@link Loopback} measures, and how. */
@Command(
        name = "loopback",
        description = "Robber against plain socket copies over loopback, in fresh processes; prints medians, ratios and"
                + " goals.",
        showDefaultValues = true)
final class LoopbackOptions implements Callable<Integer> {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final ChannelOptions DEFAULTS = ChannelOptions.defaults();

    @Option(
            names = "--cases",
            split = ",",
            paramLabel = "RECEIVERS:SIZE",
            converter = CaseConverter.class,
            description = "receivers and size of each case")
    private List<LoopbackCase> cases = LoopbackCase.parseAll("1:1G,4:1G,8:1G,7:256M,15:256M");

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            converter = ContenderConverter.class,
            description = "plain-discard, plain-buffer, plain-file, robber-buffer, robber-file; and, if asked for,"
                    + " robber-tls-buffer, robber-tls-file")
    private List<Contender> contenders = Arrays.stream(Contender.values())
            .filter(contender -> !contender.isEncrypted())
            .toList();

    @Option(names = "--runs", paramLabel = "N", description = "runs of each contender in each case, in turn")
    private int runs = 3;

    @Option(names = "--clusters", paramLabel = "N", description = "clusters that Robber's nodes form")
    private int clusters = 2;

    @Option(names = "--strategy", paramLabel = "NAME", description = "of Robber's channel")
    private String strategy = DEFAULTS.strategy();

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = PieceSizeConverter.class,
            description = "of Robber's channel; 0: chosen by the size of the data")
    private int pieceBytes;

    @Option(names = "--digest", paramLabel = "NAME", description = "of Robber's channel")
    private String digest = DEFAULTS.digest();

    @Option(names = "--window", paramLabel = "N", description = "requests at each peer, of Robber's channel")
    private int requestWindow = DEFAULTS.requestWindow();

    @Option(
            names = "--jvm-flags",
            paramLabel = "FLAGS",
            description = "flags of all processes; default: those of robber-cli's launcher for this digest")
    private @Nullable String jvmFlags;

    @Option(
            names = "--class-archive",
            paramLabel = "on|off",
            description = "classes from an archive made beforehand, as the launcher does")
    private OnOff classArchive = OnOff.on;

    @Option(
            names = "--system-calls",
            paramLabel = "on|off",
            description = "count system calls, by perf or else strace, in two more runs of each contender")
    private OnOff systemCalls = OnOff.on;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "where the data lies: memory-backed, or the disk is measured")
    private Path directory =
            Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--shared-memory",
            paramLabel = "on|off",
            description = "whether Robber's data may go through memory; off by default, as the cost of connections is"
                    + " measured")
    private OnOff sharedMemory = OnOff.off;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "that one run may take")
    private int timeoutSeconds = 300;

    @Option(names = "--json", paramLabel = "FILE", description = "write all figures there, too")
    private @Nullable Path json;

    /** Options as the command line gives them, checked. */
    static LoopbackOptions parse(String... args) {
        LoopbackOptions options = Program.parse(new LoopbackOptions(), args);
        options.check();
        return options;
    }

    @Override
    public Integer call() throws IOException {
        check();
        new Loopback(this, System.out, System.err).run();
        return 0;
    }

    private void check() {
        if (runs < 1 || clusters < 1 || timeoutSeconds < 1 || requestWindow < 1) {
            throw new IllegalArgumentException("--runs, --clusters, --window and --timeout are at least 1");
        }
        MulticastStrategy unused = Strategies.byName(strategy);
        if (json != null
                && (Files.isDirectory(json)
                        || !Files.isWritable(
                                Files.exists(json)
                                        ? json
                                        : json.toAbsolutePath().getParent()))) {
            throw new IllegalArgumentException("--json=" + json + ": no file can be written there");
        }
        for (LoopbackCase one : cases) {
            if (one.sizeBytes() > Integer.MAX_VALUE
                    && contenders.stream().anyMatch(contender -> contender.place() == Place.BUFFER)) {
                throw new IllegalArgumentException(
                        "the data of case " + one + " fits no buffer: leave out the contenders that keep it in one");
            }
        }
    }

    /** How many receivers of how much data, each compared for itself. */
    List<LoopbackCase> cases() {
        return cases;
    }

    /** The contenders, in this order within each run. */
    List<Contender> contenders() {
        return contenders.stream().distinct().toList();
    }

    int runs() {
        return runs;
    }

    int clusters() {
        return clusters;
    }

    /** How Robber's channel works. */
    ChannelOptions channel() {
        return DEFAULTS.withStrategy(strategy)
                .withPieceBytes(pieceBytes)
                .withDigest(digest)
                .withRequestWindow(requestWindow)
                .withSharedMemory(sharedMemory == OnOff.on);
    }

    /** Flags of every process, of Robber and plain copies alike. */
    List<String> jvmFlags() {
        return jvmFlags == null
                ? LauncherFlags.ofThisJava(digest)
                : Arrays.stream(jvmFlags.split("\\s+"))
                        .filter(word -> !word.isEmpty())
                        .toList();
    }

    boolean classArchive() {
        return classArchive == OnOff.on;
    }

    boolean systemCalls() {
        return systemCalls == OnOff.on;
    }

    Path directory() {
        return directory;
    }

    /** How long one run may take. */
    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Where to write all figures, or null. */
    @Nullable
    Path json() {
        return json;
    }

    private static final class CaseConverter implements ITypeConverter<LoopbackCase> {
        @Override
        public LoopbackCase convert(String text) {
            return LoopbackCase.parse(text);
        }
    }

    private static final class ContenderConverter implements ITypeConverter<Contender> {
        @Override
        public Contender convert(String text) {
            return Contender.labelled(text);
        }
    }

    private static final class PieceSizeConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return text.equals("0") ? 0 : Math.toIntExact(DataSize.parse(text));
        }
    }

    /** A choice as people write it. */
    enum OnOff {
        on,
        off
    }
}
