package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.stream.DoubleStream;

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

    static StaticBound of(ClusterNetwork network) {
        double flow = new TimeNetwork(ImmutableList.of(network)).leastFlow(new double[] {1});
        double relaxed = Math.min(flow, network.mostRate());
        if (relaxed == 0 || !network.needsProgram(relaxed)) {
            return new StaticBound(relaxed, BoundMethod.MAX_FLOW);
        }
        double likely = Double.isInfinite(relaxed) ? someLimit(network) : relaxed;
        return new StaticBound(
                Math.min(relaxed, PackingProgram.ofRate(network, likely).solve()), BoundMethod.PACKING);
    }

    private static double someLimit(ClusterNetwork network) {
        return network.clusters().stream()
                .flatMapToDouble(limits -> DoubleStream.of(
                        limits.lan(), limits.cardsUp(), limits.wanUp(), limits.wanDown(), limits.rootLan()))
                .filter(limit -> limit > 0 && Double.isFinite(limit))
                .min()
                .orElse(1);
    }
}
