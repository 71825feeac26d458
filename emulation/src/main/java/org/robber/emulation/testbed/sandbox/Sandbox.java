package org.robber.emulation.testbed.sandbox;

import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Namespaces for processes, mounts and networks that last as long as this process and no longer, however it ends. Nothing in
 * them has a name outside of them: sandboxes need no names of their own and can't get into each other's way.
 *
 * <p>The first process in there does nothing but wait for the end of its standard input, a pipe that only this process holds. When
 * this process ends, even by a signal that can't be caught, the pipe closes and the first process ends. Then the kernel kills all
 * others of its process namespace. Network namespaces, devices and mounts go with the last of them.
 */
public final class Sandbox implements AutoCloseable {

    /** Memory-backed folder for data, inside the sandbox only; the place exists on every Linux. */
    public static final String DATA = "/dev/shm";

    /** Starts a command that a terminal's Ctrl-C does not reach: only this process ends what is in the sandbox. */
    private static final String SESSION = "setsid";

    private static final String NAMESPACES = "/run/netns";
    private static final String READY = "READY";
    private static final long CLOSE_SECONDS = 20;

    private final Process holder;
    private final long firstProcess;

    private Sandbox(Process holder, long firstProcess) {
        this.holder = holder;
        this.firstProcess = firstProcess;
    }

    /**
     * Makes one.
     *
     * @param dataBytes most bytes that {@link #DATA} may hold; memory is taken only as it fills
     * @throws TestbedException if that can't be done here
     */
    public static Sandbox open(long dataBytes) {
        try {
            Process holder = startInNewNamespaces(firstScript(dataBytes));
            String output = untilReady(holder.inputReader(StandardCharsets.UTF_8));
            Optional<ProcessHandle> first = holder.children().findFirst();
            if (!output.endsWith(READY) || first.isEmpty()) {
                holder.destroyForcibly();
                throw new TestbedException(
                        "cannot make namespaces: " + output.strip() + "; a container needs --privileged for that");
            }
            return new Sandbox(holder, first.get().pid());
        } catch (IOException e) {
            throw new TestbedException("cannot make namespaces: " + e.getMessage(), e);
        }
    }

    /** Starts a shell script in namespaces of its own, with its errors in its output. */
    static Process startInNewNamespaces(String script) throws IOException {
        return new ProcessBuilder(
                        SESSION,
                        "unshare",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount",
                        "--mount-proc",
                        "--net",
                        "--",
                        "sh",
                        "-c",
                        script)
                .redirectErrorStream(true)
                .start();
    }

    /** The output of the first process until it is ready or has ended. */
    private static String untilReady(BufferedReader lines) throws IOException {
        StringBuilder output = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line);
            if (line.equals(READY)) {
                break;
            }
            output.append('\n');
        }
        return output.toString();
    }

    private static String firstScript(long dataBytes) {
        return String.join(
                "\n",
                "set -e",
                "mkdir -p " + NAMESPACES,
                "mount -t tmpfs -o size=1m,mode=755 tmpfs " + NAMESPACES,
                "mount -t tmpfs -o size=" + dataBytes + ",mode=1777 tmpfs " + DATA,
                "ip link set lo up",
                "echo " + READY,
                "exec cat >/dev/null");
    }

    /** Beginning of a command that is to run in the network namespace that the sandbox was made with, in this process's folder. */
    public ImmutableList<String> enter() {
        return enter(
                "/proc/" + firstProcess + "/ns/net",
                Path.of("").toAbsolutePath().toString());
    }

    /** Beginning of a command that is to run in this network namespace, which {@code ip netns add} has made, and in this folder. */
    public ImmutableList<String> enter(String namespace, Path folder) {
        return enter(
                path(NAMESPACES).resolve(namespace).toString(),
                folder.toAbsolutePath().toString());
    }

    private ImmutableList<String> enter(String networkFile, String folder) {
        return ImmutableList.of(
                SESSION,
                "nsenter",
                "--target=" + firstProcess,
                "--mount",
                "--pid",
                "--net=" + networkFile,
                "--",
                "sh",
                "-c",
                // the folder of the caller has no name in another mount namespace: it must be entered again
                "cd \"$0\" && exec \"$@\"",
                folder);
    }

    /** The path in this process of an absolute path inside the sandbox. */
    public Path path(String inside) {
        return Path.of("/proc/" + firstProcess + "/root" + inside);
    }

    /**
     * Runs commands, one a line, as a shell reads them, in the network namespace that the sandbox was made with.
     *
     * @return their standard output
     * @throws TestbedException names the first command that fails; later ones are not run
     */
    public String run(List<String> script) {
        Ended ended = shell(script);
        if (ended.code != 0) {
            throw new TestbedException("code " + ended.code + " of: " + failed(ended.errors));
        }
        return ended.output;
    }

    /** Runs commands as {@link #run} does; whether all succeed. */
    public boolean succeeds(List<String> script) {
        return shell(script).code == 0;
    }

    /** Kills processes that ended programs have left running. */
    public void killOrphans() {
        // The first process of a namespace inherits them.
        ProcessHandle.of(firstProcess).ifPresent(first -> first.descendants().forEach(ProcessHandle::destroyForcibly));
    }

    private Ended shell(List<String> script) {
        try {
            Process shell = new ProcessBuilder(ImmutableList.<String>builder()
                            .addAll(enter())
                            // the shell echoes its commands: the last is the one that failed
                            .add("sh", "-ex", "-s")
                            .build())
                    .start();
            Thread writer = new Thread(() -> write(shell, String.join("\n", script) + "\n"), "sandbox-script");
            writer.start();
            CompletableFuture<String> output =
                    CompletableFuture.supplyAsync(() -> read(shell.getInputStream()), Sandbox::start);
            String errors = read(shell.getErrorStream());
            int code = shell.waitFor();
            writer.join();
            return new Ended(code, output.join(), errors);
        } catch (IOException e) {
            throw new TestbedException("cannot run commands in the sandbox: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestbedException("interrupted", e);
        }
    }

    private static void start(Runnable work) {
        new Thread(work, "sandbox-output").start();
    }

    private static String read(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Ended(int code, String output, String errors) {}

    private static void write(Process shell, String text) {
        try (OutputStream input = shell.getOutputStream()) {
            input.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // the shell has ended at a failure: its exit code and its last output tell the reason
            shell.destroy();
        }
    }

    /** The last command that the shell echoed, and its output. */
    private static String failed(String output) {
        int at = output.lastIndexOf("\n+ ");
        return output.substring(at < 0 ? 0 : at + 1).strip();
    }

    /** Ends every process in there; with them go namespaces, devices and data. Idempotent. */
    @Override
    public void close() {
        try {
            holder.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
            holder.destroyForcibly();
        }
        boolean interrupted = false;
        try {
            if (!holder.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                holder.destroyForcibly();
                holder.waitFor();
            }
        } catch (InterruptedException e) {
            holder.destroyForcibly();
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
