package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;

/**
 * The result of the programs of all nodes.
 *
 * @param started whether the transfer began; if not, only the first phase was in force
 * @param inTime whether all programs ended by themselves before their time was over
 * @param nanos from the start of the transfer, or else of the programs, to the end of the last program
 * @param exits by rank
 * @param crossedBytes what crossed between clusters, headers included, since that start
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
        Timeline timeline) {}
