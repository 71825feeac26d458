package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All runs of one strategy in one scenario. Figures are of the runs that succeeded.
 *
 * @param scenario name of the scenario
 * @param strategy name of the strategy
 * @param runs number of runs
 * @param complete runs in which every node got everything
 * @param succeeded complete runs within the deadline
 * @param seconds from the start to the last node's last verified piece
 * @param bytesPerSecond goodput
 * @param shareOfAdapt throughput in relation to that of the adapting optimum
 * @param shareOfStore throughput in relation to that of the optimum that knows the future
 * @param mostWanCopies of the cluster that most entered
 * @param wanCopies of each cluster, in their order
 * @param overhead what was sent beyond one copy for each receiver, in relation to these
 * @param controlShare control bytes in relation to data
 * @param stolenPieces pieces that crossed between clusters
 * @param cpuSecondsPerGigabyte processor time for each 10^9 bytes that a receiver got
 */
public record Summary(
        String scenario,
        String strategy,
        int runs,
        int complete,
        int succeeded,
        Sample seconds,
        Sample bytesPerSecond,
        Sample shareOfAdapt,
        Sample shareOfStore,
        Sample mostWanCopies,
        ImmutableList<Sample> wanCopies,
        Sample overhead,
        Sample controlShare,
        Sample stolenPieces,
        Sample cpuSecondsPerGigabyte) {

    /** The summary of these runs, all of one strategy in one scenario. */
    public static Summary of(String scenario, String strategy, List<MeasuredRun> runs) {
        ImmutableList<MeasuredRun> good =
                runs.stream().filter(MeasuredRun::isSuccess).collect(ImmutableList.toImmutableList());
        return new Summary(
                scenario,
                strategy,
                runs.size(),
                (int) runs.stream().filter(run -> run.run().isComplete()).count(),
                good.size(),
                sample(good, MeasuredRun::seconds),
                sample(good, MeasuredRun::bytesPerSecond),
                sample(good, MeasuredRun::shareOfAdapt),
                sample(good, MeasuredRun::shareOfStore),
                sample(good, MeasuredRun::mostWanCopies),
                wanCopies(runs, good),
                sample(good, MeasuredRun::overhead),
                sample(good, MeasuredRun::controlShare),
                sample(good, run -> run.stolenPieces()),
                sample(good, MeasuredRun::cpuSecondsPerGigabyte));
    }

    /** Robustness: the share of runs in which every node got everything, in time; NaN if there are no runs. */
    public double robustness() {
        return runs == 0 ? Double.NaN : (double) succeeded / runs;
    }

    /** One sample for each cluster, also where no run succeeded. */
    private static ImmutableList<Sample> wanCopies(List<MeasuredRun> runs, List<MeasuredRun> good) {
        int clusters =
                runs.isEmpty() ? 0 : runs.get(0).run().scenario().clusters().size();
        ImmutableList.Builder<Sample> copies = ImmutableList.builder();
        for (int i = 0; i < clusters; i++) {
            int cluster = i;
            copies.add(sample(good, run -> run.run().wanCopies(cluster)));
        }
        return copies.build();
    }

    private static Sample sample(List<MeasuredRun> runs, ToDoubleFunction<MeasuredRun> figure) {
        return Sample.of(runs.stream().map(run -> figure.applyAsDouble(run)).toList());
    }
}
