package org.robber.emulation.experiment;

import org.robber.emulation.run.RunResult;

/** Hears how an experiment goes. Calls come one at a time, from any thread. */
public interface RunListener {

    /** A run begins; in any order where several run at a time. */
    void started(RunPlan plan);

    /** A run has ended just now; in the order in which they end, where several run at a time. */
    void finished(RunPlan plan, RunResult result);
}
