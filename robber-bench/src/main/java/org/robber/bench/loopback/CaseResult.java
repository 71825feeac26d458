package org.robber.bench.loopback;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.robber.bench.Median;

/**
 * All runs of one case.
 *
 * @param one the case
 * @param runs for each contender its runs, in order; the n-th runs of all were taken one after the other
 * @param systemCalls for each contender the system calls of all processes for each piece received, or nothing where none are counted
 */
record CaseResult(LoopbackCase one, Map<Contender, List<RunFigures>> runs, Map<Contender, Double> systemCalls) {

    /** The median of a figure over the contender's runs. */
    double median(Contender contender, ToDoubleFunction<RunFigures> figure) {
        return Median.of(runs(contender).stream().mapToDouble(figure).toArray());
    }

    /** The median over the runs of one contender's figure, divided by the other's in the same turn. */
    double medianRatio(Contender contender, Contender yardstick, ToDoubleFunction<RunFigures> figure) {
        double[] ratios = new double[runs(contender).size()];
        for (int run = 0; run < ratios.length; run++) {
            ratios[run] = figure.applyAsDouble(runs(contender).get(run))
                    / figure.applyAsDouble(runs(yardstick).get(run));
        }
        return Median.of(ratios);
    }

    /** Whether the contender took part. */
    boolean has(Contender contender) {
        return runs.containsKey(contender);
    }

    private List<RunFigures> runs(Contender contender) {
        List<RunFigures> list = runs.get(contender);
        if (list == null) {
            throw new IllegalArgumentException(contender.label() + " did not run");
        }
        return list;
    }
}
