package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;

/** How links recovered, for people. */
public final class RecoveryText {

    private RecoveryText() {}

    /** A line for each recovery. */
    public static ImmutableList<String> lines(RunResult run) {
        return run.recoveries().stream().map(recovery -> line(run, recovery)).collect(ImmutableList.toImmutableList());
    }

    private static String line(RunResult run, Recovery recovery) {
        String link = run.scenario().pairName(recovery.link());
        String healed = NumberText.decimals(recovery.healedNanos() / 1e9, 1) + " s";
        return recovery.nanos() < 0
                ? link + ", good again at " + healed + ", was not as busy as before until the end"
                : link + ", good again at " + healed + ", was as busy as before after "
                        + NumberText.decimals(recovery.nanos() / 1e9, 2) + " s";
    }
}
