package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All runs of one strategy in one scenario.
 *
 * @param scenario name of the scenario
 * @param strategy name of the strategy
 * @param runs how many there were
 * @param complete how many of them ended with every node having everything; times and shares are of these alone
 * @param seconds from the start to the last node's last verified piece
 * @param shareOfAdapt throughput in relation to that of the adapting optimum
 * @param shareOfStore throughput in relation to that of the optimum that knows the future
 * @param mostWanCopies of the cluster that most entered
 * @param controlShare control bytes in relation to data
 * @param stolenPieces pieces that crossed between clusters
 */
public record Summary(
        String scenario,
        String strategy,
        int runs,
        int complete,
        Sample seconds,
        Sample shareOfAdapt,
        Sample shareOfStore,
        Sample mostWanCopies,
        Sample controlShare,
        Sample stolenPieces) {

    /** What these runs, all of one strategy in one scenario, together say. */
    public static Summary of(String scenario, String strategy, List<MeasuredRun> runs) {
        ImmutableList<MeasuredRun> complete =
                runs.stream().filter(run -> run.run().isComplete()).collect(ImmutableList.toImmutableList());
        return new Summary(
                scenario,
                strategy,
                runs.size(),
                complete.size(),
                sample(complete, MeasuredRun::seconds),
                sample(complete, MeasuredRun::shareOfAdapt),
                sample(complete, MeasuredRun::shareOfStore),
                sample(complete, MeasuredRun::mostWanCopies),
                sample(complete, MeasuredRun::controlShare),
                sample(complete, run -> run.stolenPieces()));
    }

    private static Sample sample(List<MeasuredRun> runs, ToDoubleFunction<MeasuredRun> figure) {
        return Sample.of(runs.stream().map(run -> figure.applyAsDouble(run)).toList());
    }
}
