package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.robber.Communicator;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** Runs replications whose nodes are in this process, and keeps how each node ended. */
public final class RecordedJob {
    /** The exit codes of nodes that came to the end of the last run, by rank. */
    final Map<Integer, Integer> codes = new ConcurrentHashMap<>();

    /** The failures of nodes, by rank. */
    final Map<Integer, RobberException> failures = new ConcurrentHashMap<>();

    final RecordedOutput output = new RecordedOutput();

    /** Runs a job of two clusters with two nodes each; a request for each rank. */
    void run(IntFunction<ReplicateRequest> requests) {
        codes.clear();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> takePart(world, requests.apply(world.rank())));
        } catch (RobberException e) {
            assertThat(failures).isNotEmpty();
        }
    }

    private void takePart(Communicator world, ReplicateRequest request) {
        try {
            codes.put(world.rank(), replicate(request, world, output));
        } catch (RobberException e) {
            failures.put(world.rank(), e);
            throw e;
        }
    }

    /** Takes part in a job as one of its nodes; returns the exit code. */
    public static int replicate(ReplicateRequest request, Communicator world, NodeOutput output) {
        UnfinishedCopy unfinished = new UnfinishedCopy();
        try {
            return new Replication(request, Requests::noInput, world, output, unfinished).run();
        } finally {
            unfinished.close();
        }
    }
}
