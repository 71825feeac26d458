package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** The programs of all nodes, started together. */
public final class RunningPrograms implements AutoCloseable {

    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final List<RunningProgram> processes = new ArrayList<>();
    private final AtomicBoolean failureTold = new AtomicBoolean();

    private RunningPrograms() {}

    /**
     * Starts them in order of their ranks.
     *
     * @param lines takes every line that any of them writes, on some thread
     * @param exit run on some thread whenever one has ended
     * @param failure given the end of the first that fails by itself, on some thread
     * @throws TestbedException if one cannot be started; the others are killed
     */
    public static RunningPrograms start(
            List<ProcessBuilder> commands, Consumer<String> lines, Runnable exit, Consumer<NodeExit> failure) {
        RunningPrograms all = new RunningPrograms();
        try {
            for (int rank = 0; rank < commands.size(); rank++) {
                all.processes.add(RunningProgram.start(rank, commands.get(rank), lines, ended -> {
                    exit.run();
                    all.tell(ended, failure);
                }));
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw new TestbedException("cannot start programs: " + e.getMessage(), e);
        }
    }

    private void tell(RunningProgram ended, Consumer<NodeExit> failure) {
        if (!NodeExit.isFailure(ended.exitCode()) || !failureTold.compareAndSet(false, true)) {
            return;
        }
        try {
            failure.accept(ended.exit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether any of them runs. */
    public boolean areRunning() {
        return processes.stream().anyMatch(RunningProgram::isRunning);
    }

    /** Waits until all have ended that have been asked to; kills those that don't. Returns how they ended, by rank. */
    public ImmutableList<NodeExit> stopAndCollect() throws InterruptedException {
        // First of all: a program may end because another one was stopped.
        processes.forEach(RunningProgram::markStopped);
        processes.forEach(RunningProgram::stop);
        long deadline = System.nanoTime() + STOP_NANOS;
        for (RunningProgram process : processes) {
            if (!process.awaitExit(deadline - System.nanoTime())) {
                process.kill();
                process.awaitExit(STOP_NANOS);
            }
        }
        ImmutableList.Builder<NodeExit> exits = ImmutableList.builder();
        for (RunningProgram process : processes) {
            exits.add(process.exit());
        }
        return exits.build();
    }

    /** Kills those that still run. */
    @Override
    public void close() {
        processes.forEach(RunningProgram::kill);
    }
}
