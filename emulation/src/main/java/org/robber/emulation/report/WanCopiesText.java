package org.robber.emulation.report;

import java.util.StringJoiner;
import java.util.function.IntToDoubleFunction;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** WAN copies of the clusters that data have to enter: each of a few clusters, the range of many. */
public final class WanCopiesText {

    private static final int MOST_NAMED = 8;

    private WanCopiesText() {}

    /**
     * The text, such as {@code B 1.000, C 1.012} or {@code 1.000 to 1.200}.
     *
     * @param copies of each cluster by index; unknown ones are NaN and left out
     * @param equals between name and figure
     * @param separator between clusters
     */
    public static String of(
            Scenario scenario, Collective call, IntToDoubleFunction copies, String equals, String separator) {
        int clusters = scenario.clusters().size();
        StringJoiner named = new StringJoiner(separator);
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int cluster = 0; cluster < clusters; cluster++) {
            double value = copies.applyAsDouble(cluster);
            if (!call.isAllIn(scenario, cluster) && !Double.isNaN(value)) {
                named.add(scenario.clusters().get(cluster).name() + equals + NumberText.decimals(value, 3));
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        return clusters <= MOST_NAMED || least > most
                ? named.toString()
                : NumberText.decimals(least, 3) + " to " + NumberText.decimals(most, 3);
    }
}
