package org.robber.emulation.runner;

import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;

/** Is told how an experiment proceeds. Methods may be called from several threads at a time. */
public interface ExperimentListener {

    /**
     * The first call.
     *
     * @param recordedRuns how many of the planned runs an earlier call of the command has done
     */
    void begin(Setting setting, int recordedRuns);

    /** A run begins. */
    void started(RunPlan plan);

    /** A run has ended just now. */
    void finished(RunPlan plan, MeasuredRun run);

    /** A result, in the order of the plans; recorded runs are among them. */
    void result(Setting setting, MeasuredRun run);

    /** The last results, also of an experiment that ends early. */
    void end(Findings findings);

    /** A remark for people. */
    void remark(String line);
}
