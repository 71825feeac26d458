package org.robber.bench.loopback;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processes that are started, awaited and ended together. One thread starts them; any may end them. */
final class ProcessGroup implements AutoCloseable {
    private final List<String> javaCommand;
    private final Path logFolder;
    private final @Nullable SystemCallCounter counter;
    private final Duration limit;
    private final long deadlineNanos;
    private final List<Process> processes = new ArrayList<>();
    private boolean ended;
    private final CompletableFuture<Integer> firstFailure = new CompletableFuture<>();
    private final Thread atExit = new Thread(this::end, "end-processes");

    /**
     * @param jvmFlags flags of every process
     * @param logFolder where each process writes what it has to say to people
     * @param limit how long all of them may take together
     */
    ProcessGroup(List<String> jvmFlags, Path logFolder, Duration limit) {
        this(jvmFlags, logFolder, limit, null);
    }

    /** As the other, with system calls counted by this program, or not if it is null. */
    ProcessGroup(List<String> jvmFlags, Path logFolder, Duration limit, @Nullable SystemCallCounter counter) {
        this.counter = counter;
        this.javaCommand = new ArrayList<>();
        javaCommand.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        javaCommand.addAll(jvmFlags);
        javaCommand.add("-cp");
        javaCommand.add(System.getProperty("java.class.path"));
        this.logFolder = logFolder;
        this.limit = limit;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        // An orderly end of the parent ends the processes, too.
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Starts a process, with some more flags. */
    void start(Class<?> program, List<String> arguments, String... moreFlags) throws IOException {
        launch(prepare(program, arguments, moreFlags).redirectOutput(log(processes.size())));
    }

    /** Starts a process and returns the first line that it prints. */
    String startAndReadLine(Class<?> program, List<String> arguments) throws IOException {
        Process process = launch(prepare(program, arguments));
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread reader = new Thread(() -> readLine(process, line), "first-line");
        reader.setDaemon(true);
        reader.start();
        await(line);
        return line.join();
    }

    /** Returns once all processes have ended well. */
    void await() throws IOException {
        await(CompletableFuture.allOf(processes.stream().map(Process::onExit).toArray(CompletableFuture<?>[]::new)));
        if (firstFailure.isDone()) {
            throw failed(firstFailure.join());
        }
    }

    /** How many system calls all processes have made; asked once they have ended. There must be a counter. */
    long systemCalls() throws IOException {
        SystemCallCounter by = Objects.requireNonNull(counter);
        long sum = 0;
        for (int number = 0; number < processes.size(); number++) {
            sum += by.parse(Files.readString(calls(number)));
        }
        return sum;
    }

    private ProcessBuilder prepare(Class<?> program, List<String> arguments, String... moreFlags) {
        List<String> command = counter == null ? new ArrayList<>() : counter.prefix(calls(processes.size()));
        command.addAll(javaCommand);
        command.addAll(List.of(moreFlags));
        command.add(program.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectError(log(processes.size()));
    }

    private synchronized Process launch(ProcessBuilder command) throws IOException {
        if (ended) {
            throw new IOException("interrupted");
        }
        int number = processes.size();
        Process process = command.start();
        processes.add(process);
        var unused = process.onExit().thenAccept(exited -> {
            if (exited.exitValue() != 0) {
                firstFailure.complete(number);
            }
        });
        return process;
    }

    private static void readLine(Process process, CompletableFuture<String> line) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String first = reader.readLine();
            if (first != null) {
                line.complete(first);
            } else if (process.waitFor() == 0) {
                line.completeExceptionally(new IOException("a process ended without a word"));
            }
            // Other lines that it prints must not fill the pipe.
            reader.transferTo(Writer.nullWriter());
        } catch (IOException | InterruptedException e) {
            line.completeExceptionally(e);
        }
    }

    /** Waits for an event or for the first process that fails, whichever comes first. */
    private void await(CompletableFuture<?> event) throws IOException {
        try {
            CompletableFuture.anyOf(event, firstFailure).get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("not done after " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw firstFailure.isDone() ? failed(firstFailure.join()) : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!event.isDone()) {
            throw failed(firstFailure.join());
        }
    }

    private IOException failed(int number) throws IOException {
        return new IOException("process " + number + " ended with exit code "
                + processes.get(number).exitValue() + ":\n"
                + Files.readString(log(number).toPath()));
    }

    private Path calls(int number) {
        return logFolder.resolve("calls-" + number);
    }

    private File log(int number) {
        return logFolder.resolve("log-" + number).toFile();
    }

    /** Ends the processes that still run and waits until they are gone; no more can be started. */
    private void end() {
        List<Process> ending;
        synchronized (this) {
            ended = true;
            ending = List.copyOf(processes);
        }
        // A program that counts does not take the counted one along when it is killed.
        ending.stream()
                .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process.toHandle())))
                .toList()
                .forEach(ProcessHandle::destroyForcibly);
        ending.forEach(process -> process.onExit().join());
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The parent is ending already, and the hook with it.
        }
    }
}
