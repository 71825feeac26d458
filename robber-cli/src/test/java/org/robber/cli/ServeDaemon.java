package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code robber-cli serve} as a process, at an address of loopback, with its configuration in a file. */
final class ServeDaemon implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path configuration;
    private final List<String> lines;
    private final Launched process;

    /** Starts it, and waits until it listens. */
    ServeDaemon(Path folder, Map<String, String> environment, String address, Path allowed, String... settings)
            throws IOException, InterruptedException {
        configuration = folder.resolve("serve-" + address.replace(':', '-') + ".config");
        lines = new ArrayList<>(List.of("listen = " + address, "secret-file = " + secretFile(folder)));
        lines.addAll(List.of(settings));
        write("allow = " + allowed);
        process = Launched.start(folder, environment, "serve", "--config=" + configuration);
        process.awaitSaid("listens at " + address, LIMIT_NANOS);
    }

    /** A file with a secret, made when it is first needed. */
    static Path secretFile(Path folder) throws IOException {
        Path file = folder.resolve("secret");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, "known to operators and daemons " + folder);
        }
        return file;
    }

    private void write(String line) throws IOException {
        Files.writeString(configuration, String.join("\n", lines) + "\n" + line + "\n");
    }

    /** Reads its configuration anew, with this line in place of the folder that was allowed. */
    void reload(String line, String answer) throws IOException, InterruptedException {
        write(line);
        signal("HUP");
        process.awaitSaid(answer, LIMIT_NANOS);
    }

    /** Begins to read its configuration from a pipe that nobody writes to: it hangs, as a file server may. */
    void reloadFromPipe() throws IOException, InterruptedException {
        Files.delete(configuration);
        assertThat(new ProcessBuilder("mkfifo", configuration.toString())
                        .start()
                        .waitFor())
                .isZero();
        signal("HUP");
    }

    void signal(String name) throws IOException, InterruptedException {
        Launched.signal(name, process.processId());
    }

    void awaitSaid(String text, int times) throws IOException, InterruptedException {
        process.awaitSaid(text, times, LIMIT_NANOS);
    }

    /** The processes of its nodes. */
    List<ProcessHandle> nodes() {
        return process.nodes();
    }

    Launched process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
