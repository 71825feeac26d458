package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One computer that runs all nodes, as the testbed does.
 *
 * @param cores its processors, at least 1
 * @param speed how fast they are, {@value #LEAST_SPEED} to {@value #MOST_SPEED}; 1 is as fast as those on which the costs of nodes were
 *     measured
 */
public record SharedComputer(int cores, double speed) {

    public static final double LEAST_SPEED = 0.001;
    public static final double MOST_SPEED = 1_000;

    public SharedComputer {
        checkArgument(cores >= 1, "cores: %s", cores);
        checkArgument(speed >= LEAST_SPEED && speed <= MOST_SPEED, "speed: %s", speed);
    }
}
