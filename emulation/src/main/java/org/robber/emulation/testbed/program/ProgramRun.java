package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Optional;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;

/**
 * The result of the programs of all nodes.
 *
 * @param started whether the transfer began; if not, only the first phase was in force
 * @param inTime whether all programs ended by themselves before their time was over
 * @param nanos from the start of the transfer, or else of the programs, to the end of the last program
 * @param exits by rank
 * @param crossedBytes what crossed between clusters, headers included, since that start; since the programs began if bytes may tell of the start
 * @param cpuNanos processor time of all programs and what they started, from their beginning to their end
 * @param timeline how it went, from that start
 */
public record ProgramRun(
        boolean started,
        boolean inTime,
        long nanos,
        ImmutableList<NodeExit> exits,
        ImmutableSortedMap<ClusterPair, Long> crossedBytes,
        long cpuNanos,
        Timeline timeline) {

    /** The first program that ended by itself with a failure. The others may have waited for it until their time was over. */
    public Optional<NodeExit> firstFailure() {
        return exits.stream().filter(NodeExit::isFailure).findFirst();
    }
}
