package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A job of two nodes that stays in the middle of its transfer, because rank 1 is stopped, until {@link #goOn}. A limit on what
 * nodes send makes the transfer long enough to be caught.
 */
final class HeldTransfer implements AutoCloseable {
    /** Takes {@link #BYTES_PER_SECOND} 4 s. */
    static final int BYTES = 4 << 20;

    private static final int BYTES_PER_SECOND = 1 << 20;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Launched run;
    private final ProcessHandle held;

    private HeldTransfer(Launched run, ProcessHandle held) {
        this.run = run;
        this.held = held;
    }

    /** Starts a job that copies {@link #BYTES} bytes, and holds it as soon as its transfer has begun. */
    static HeldTransfer start(Path folder, Path source, Path destination) throws Exception {
        Launched run = Launched.start(
                folder,
                Map.of(),
                "replicate",
                "--local=1x2",
                "--piece-size=32K",
                "--bwlimit=" + BYTES_PER_SECOND,
                "--progress=json",
                source.toString(),
                destination.toString());
        try {
            run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            ProcessHandle node = run.node(1);
            Launched.signal("STOP", node.pid());
            assertThat(written(node)).as("bytes written when it was stopped").isLessThan(BYTES);
            return new HeldTransfer(run, node);
        } catch (Exception | AssertionError e) {
            run.close();
            throw e;
        }
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
