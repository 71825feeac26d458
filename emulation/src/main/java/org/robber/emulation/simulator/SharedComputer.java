package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One computer that runs all nodes, as the testbed does.
 *
 * @param cores its processors, at least 1
 * @param speed how fast they are, above 0; 1 is as fast as those on which the costs of nodes were measured
 */
public record SharedComputer(int cores, double speed) {

    public SharedComputer {
        checkArgument(cores >= 1, "cores: %s", cores);
        checkArgument(speed > 0 && speed < Double.POSITIVE_INFINITY, "speed: %s", speed);
    }
}
