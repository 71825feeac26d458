package org.robber.emulation.bound;

import java.util.function.DoublePredicate;
import org.robber.emulation.bound.PhasedNetwork.Layers;

/** The shortest time to bring an amount to all clusters while the network changes. Clusters keep the data that they have. */
final class StoreBound {
    private final PhasedNetwork network;
    private final long budget;

    /** Whether a program ended before all cuts were looked at, and its value is not the least that matters. */
    private boolean gaveUp;

    /**
     * Describes the network.
     *
     * @param budget of {@link PackingProgram#solve}
     */
    StoreBound(PhasedNetwork network, long budget) {
        this.network = network;
        this.budget = budget;
    }

    /**
     * The shortest time.
     *
     * @param reachable seconds that are enough in any case
     */
    CollectiveBound find(double amount, double reachable) {
        double relaxed = Math.max(
                network.endOf(0, network.phaseAt(reachable), last -> flowSeconds(last, amount)),
                amount / network.first().mostRate());
        double rate = amount / relaxed;
        if (relaxed >= reachable || network.networks().stream().noneMatch(one -> one.needsProgram(rate))) {
            return new CollectiveBound(
                    Math.min(relaxed, reachable), relaxed >= reachable || network.isExactUntil(relaxed));
        }
        double seconds = network.endOf(
                network.phaseAt(relaxed), network.phaseAt(reachable), last -> packingSeconds(last, amount, reachable));
        return new CollectiveBound(
                Math.min(reachable, seconds), !gaveUp && (seconds >= reachable || network.isExactUntil(seconds)));
    }

    private double flowSeconds(int last, double amount) {
        Layers layers = network.until(last);
        return new TimeNetwork(layers.networks()).lastSeconds(layers.seconds(), amount);
    }

    private double packingSeconds(int last, double amount, double reachable) {
        Layers layers = network.until(last);
        double[] seconds = layers.seconds();
        double most = Math.min(network.end(last), reachable) - network.starts()[last];
        seconds[seconds.length - 1] = most > 0 && Double.isFinite(most) ? most : 1;
        DoublePredicate enough = value -> value >= most * (1 - 1e-9);
        PackingProgram program = PackingProgram.ofTime(layers.networks(), seconds, amount);
        double found = program.solve(enough, budget);
        gaveUp |= Double.isFinite(found) && !program.isReached() && !enough.test(found);
        return found;
    }
}
