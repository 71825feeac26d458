package org.robber.emulation.experiment;

/** A run could not be done at all; the cause says why. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunFailedException(RunPlan plan, Throwable cause) {
        super(plan + ": " + cause.getMessage(), cause);
    }
}
