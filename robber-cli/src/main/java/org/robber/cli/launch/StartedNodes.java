package org.robber.cli.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.progress.StatusConsole;

/** The started processes of a job, by rank. They are stopped together; after that no other is started. Thread-safe. */
final class StartedNodes {

    /** How long nodes may take to end when told to. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(2);

    private final List<NodeProcess> processes = Collections.synchronizedList(new ArrayList<>());
    private final Runnable leftovers;
    private boolean stopped;

    /** @param leftovers removes what nodes that were ended by signals could not remove */
    StartedNodes(Runnable leftovers) {
        this.leftovers = leftovers;
    }

    /** All of them, by rank; a view. */
    List<NodeProcess> all() {
        return processes;
    }

    /** Starts a node; empty after {@link #stop}, since no other call would end it. */
    synchronized Optional<NodeProcess> start(
            int rank, NodeProcesses.Node node, NodeOutput output, StatusConsole console) throws IOException {
        if (stopped) {
            return Optional.empty();
        }
        NodeProcess process = NodeProcess.start(rank, node, output, console);
        processes.add(process);
        return Optional.of(process);
    }

    List<NodeProcess> running() {
        return processes.stream().filter(NodeProcess::running).toList();
    }

    /** Nodes that were killed by another process; empty after {@link #stop}. */
    synchronized List<NodeProcess> killedByOthers() {
        return stopped
                ? List.of()
                : processes.stream()
                        .filter(process -> !process.running() && process.killed())
                        .toList();
    }

    /** Ends the processes that still run and removes their leftovers. Idempotent; also run when this process is told to end. */
    synchronized void stop() {
        stopped = true;
        List<NodeProcess> running = running();
        running.forEach(NodeProcess::stop);
        long end = System.nanoTime() + STOP_GRACE.toNanos();
        for (NodeProcess process : running) {
            if (!process.awaitExit(end - System.nanoTime())) {
                process.kill();
            }
        }
        for (NodeProcess process : running) {
            process.awaitExit(STOP_GRACE.toNanos());
        }
        if (processes.stream().anyMatch(process -> !process.running() && process.signal() != 0)) {
            leftovers.run();
        }
    }
}
