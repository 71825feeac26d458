package org.robber.emulation.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.scenario.ClusterPair;

/**
 * Bytes counted at equal distances in time; each list holds the total so far at 0, 1, 2, ... times the interval.
 *
 * @param intervalNanos distance between two samples
 * @param nodeBytes by rank: data received
 * @param linkBytes by direction: bytes that crossed, whatever they were
 */
public record Timeline(
        long intervalNanos,
        ImmutableList<ImmutableList<Long>> nodeBytes,
        ImmutableSortedMap<ClusterPair, ImmutableList<Long>> linkBytes) {}
