package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.emulation.scenario.Scenario;

/**
 * A planned run.
 *
 * @param scenario the network
 * @param strategy name of the strategy
 * @param seed of everything random
 */
public record RunPlan(Scenario scenario, String strategy, long seed) {

    /**
     * Every strategy in every scenario with every seed: all strategies with the first seed, then all with the next. So the finished part
     * of an experiment that ends early is comparable, and a machine that becomes slower does so for all strategies.
     */
    public static ImmutableList<RunPlan> seedBySeed(
            List<Scenario> scenarios, List<String> strategies, long firstSeed, int seeds) {
        ImmutableList.Builder<RunPlan> plans = ImmutableList.builder();
        for (Scenario scenario : scenarios) {
            for (int i = 0; i < seeds; i++) {
                for (String strategy : strategies) {
                    plans.add(new RunPlan(scenario, strategy, firstSeed + i));
                }
            }
        }
        return plans.build();
    }

    /** Such as {@code tc1_mayhem, robber, seed 3}. */
    @Override
    public String toString() {
        return scenario.name() + ", " + strategy + ", seed " + seed;
    }
}
