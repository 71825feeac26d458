package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A node of a scenario.
 *
 * @param cluster index of its cluster in {@link Scenario#clusters()}
 * @param index its index within the cluster
 */
public record NodePlace(int cluster, int index) {
    public NodePlace {
        checkArgument(cluster >= 0 && index >= 0, "cluster %s index %s", cluster, index);
    }
}
