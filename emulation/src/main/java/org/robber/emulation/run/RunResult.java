package org.robber.emulation.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;

/**
 * One run of one strategy in one scenario.
 *
 * @param scenario what it ran in
 * @param backend what emulated the scenario
 * @param strategy name of the strategy
 * @param seed from which everything random was drawn
 * @param dataBytes size of the data
 * @param pieceBytes size of a piece
 * @param problem why not every node of this job and of those beside it has everything; empty if every node does
 * @param nodes by rank
 * @param crossedBytes everything that crossed, by direction, as counted by the network
 * @param stolenBytes data received, by direction: where each cluster's pieces came from
 * @param cpuNanos processor time of the processes of all nodes, or what simulated nodes were charged; -1 if it was not measured
 * @param timeline how it went
 * @param besideNanos the time of each job beside it, from its own start to its last node's last verified piece; -1 if a node never had
 *     everything; empty for a job alone
 * @param recoveries of its links: known from the bytes of links, and kept where these are not
 */
public record RunResult(
        Scenario scenario,
        Backend backend,
        String strategy,
        long seed,
        long dataBytes,
        int pieceBytes,
        String problem,
        ImmutableList<NodeRun> nodes,
        ImmutableSortedMap<ClusterPair, Long> crossedBytes,
        ImmutableSortedMap<ClusterPair, Long> stolenBytes,
        long cpuNanos,
        Timeline timeline,
        ImmutableList<Long> besideNanos,
        ImmutableList<Recovery> recoveries) {

    /** The same with another timeline. */
    public RunResult withTimeline(Timeline other) {
        return with(problem, other, besideNanos);
    }

    /**
     * The same with these jobs beside it. Without a problem of its own, it has that of the first job that has one.
     *
     * @param jobs the results of jobs in the same network at the same time
     */
    public RunResult withBeside(List<RunResult> jobs) {
        String firstProblem = problem;
        for (int job = 0; job < jobs.size() && firstProblem.isEmpty(); job++) {
            firstProblem = problemOfJob(job + 1, jobs.get(job).problem());
        }
        return with(
                firstProblem, timeline, jobs.stream().map(RunResult::nanos).collect(ImmutableList.toImmutableList()));
    }

    /**
     * The problem of one of the jobs that share a network.
     *
     * @param number 0 for the job that is measured
     * @param problem or nothing
     */
    public static String problemOfJob(int number, String problem) {
        return number == 0 || problem.isEmpty() ? problem : "job " + number + " beside: " + problem;
    }

    private RunResult with(String otherProblem, Timeline otherTimeline, ImmutableList<Long> otherBesideNanos) {
        return new RunResult(
                scenario,
                backend,
                strategy,
                seed,
                dataBytes,
                pieceBytes,
                otherProblem,
                nodes,
                crossedBytes,
                stolenBytes,
                cpuNanos,
                otherTimeline,
                otherBesideNanos,
                recoveries);
    }

    /** Whether every node has everything. */
    public boolean isComplete() {
        return problem.isEmpty();
    }

    /** From the start of the transfer to the last node's last verified piece; -1 if a node never had everything. */
    public long nanos() {
        long last = 0;
        for (NodeRun node : nodes) {
            if (node.completeNanos() < 0) {
                return -1;
            }
            last = Math.max(last, node.completeNanos());
        }
        return last;
    }

    /** Data that entered the cluster in relation to the size of the data: in a multicast, 1 is ideal for all but the root's cluster. */
    public double wanCopies(int cluster) {
        long entered = stolenBytes.entrySet().stream()
                .filter(entry -> entry.getKey().to() == cluster)
                .mapToLong(entry -> entry.getValue())
                .sum();
        return dataBytes == 0 ? 0 : (double) entered / dataBytes;
    }
}
