package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;

/**
 * The best rate of a network that does not change.
 *
 * <p>The least of the maximum flows to each cluster is an upper bound. If no access line, card or LAN limits a multicast further, it
 * is the result (Edmonds). Otherwise the {@link PackingProgram} is solved.
 *
 * @param rate bytes per second
 * @param isProven whether it is certain that a strategy can reach it; none can exceed it
 */
record StaticBound(double rate, boolean isProven) {

    /**
     * Finds it.
     *
     * @param budget of {@link PackingProgram#solve}
     */
    static StaticBound of(ClusterNetwork network, long budget) {
        double flow = new TimeNetwork(ImmutableList.of(network)).leastFlow(new double[] {1});
        double relaxed = Math.min(flow, network.mostRate());
        if (relaxed == 0 || !network.needsProgram(relaxed)) {
            return new StaticBound(relaxed, true);
        }
        PackingProgram program =
                PackingProgram.ofRate(network, Double.isInfinite(relaxed) ? network.someLimit() : relaxed);
        double rate = Math.min(relaxed, program.solve(value -> false, budget));
        return new StaticBound(rate, program.isReached());
    }
}
