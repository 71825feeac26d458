package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A job of two nodes that stays in the middle of its transfer, because rank 1 is stopped, until {@link #goOn}. */
final class HeldTransfer implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int MOST_ATTEMPTS = 10;

    private final Launched run;
    private final ProcessHandle held;

    private HeldTransfer(Launched run, ProcessHandle held) {
        this.run = run;
        this.held = held;
    }

    /** Starts jobs until one is caught in its transfer; those before it have copied everything. */
    static HeldTransfer start(Path folder, Path source, Path destination, long bytes) throws Exception {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Launched run = Launched.start(
                    folder,
                    Map.of(),
                    "replicate",
                    "--local=1x2",
                    "--piece-size=32K",
                    "--request-window=1",
                    "--progress=json",
                    source.toString(),
                    destination.toString());
            ProcessHandle caught = caught(run, bytes);
            if (caught != null) {
                return new HeldTransfer(run, caught);
            }
            assertThat(run.exitCode()).as(run.err()).isZero();
            run.close();
        }
        throw new AssertionError("no transfer of " + bytes + " bytes could be caught");
    }

    private static ProcessHandle caught(Launched run, long bytes) throws Exception {
        run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
        ProcessHandle node = run.findNode(1).orElse(null);
        if (node == null) {
            return null;
        }
        Launched.signal("STOP", node.pid());
        if (written(node) < bytes) {
            return node;
        }
        Launched.signal("CONT", node.pid());
        return null;
    }

    /** What the kernel has counted of what the process wrote: at least what is in its files. */
    private static long written(ProcessHandle process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/io")).stream()
                .filter(line -> line.startsWith("wchar: "))
                .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
                .sum();
    }

    /** Lets it go on, to be waited for. */
    Launched goOn() throws IOException, InterruptedException {
        Launched.signal("CONT", held.pid());
        return run;
    }

    /** All of a place but what is half-written. */
    static List<String> shown(Path place) throws IOException {
        List<String> shown = new ArrayList<>(Trees.names(place));
        shown.removeIf(name -> name.contains(".robber-"));
        return shown;
    }

    @Override
    public void close() {
        run.close();
    }
}
