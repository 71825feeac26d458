package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;

/**
 * The best rate of a network that does not change.
 *
 * <p>The method is chosen by the limits there are. What a flow to a single sink can use is an upper bound; where no access
 * line, card or LAN can be in the way of more than that, it is the result (Edmonds). Otherwise the {@link PackingProgram}
 * is solved.
 *
 * @param rate bytes per second
 * @param method how it was found
 */
record StaticBound(double rate, BoundMethod method) {

    /**
     * Finds it.
     *
     * @param budget of {@link PackingProgram#solve}
     */
    static StaticBound of(ClusterNetwork network, long budget) {
        double flow = new TimeNetwork(ImmutableList.of(network)).leastFlow(new double[] {1});
        double relaxed = Math.min(flow, network.mostRate());
        if (relaxed == 0 || !network.needsProgram(relaxed)) {
            return new StaticBound(relaxed, BoundMethod.MAX_FLOW);
        }
        PackingProgram program =
                PackingProgram.ofRate(network, Double.isInfinite(relaxed) ? network.someLimit() : relaxed);
        double rate = Math.min(relaxed, program.solve(value -> false, budget));
        return new StaticBound(rate, program.isReached() ? BoundMethod.PACKING : BoundMethod.SOME_CUTS);
    }
}
