package org.robber.emulation.experiment;

import org.robber.emulation.scenario.Scenario;

/**
 * A run that is to be done.
 *
 * @param scenario what it runs in
 * @param strategy name of the strategy
 * @param seed from which everything random is drawn
 */
public record RunPlan(Scenario scenario, String strategy, long seed) {

    /** Such as {@code tc1_mayhem, robber, seed 3}. */
    @Override
    public String toString() {
        return scenario.name() + ", " + strategy + ", seed " + seed;
    }
}
