package org.robber.emulation.runner;

import org.robber.emulation.experiment.RunPlan;

/** A run could not be done at all; the cause says why. */
final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunFailedException(RunPlan plan, Throwable cause) {
        super(plan + ": " + cause.getMessage(), cause);
    }
}
