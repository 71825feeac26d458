package org.robber.emulation.simulator.checker;

/** A node violated an invariant: a defect of its strategy. */
public final class InvariantViolationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvariantViolationException(String what) {
        super(what);
    }
}
