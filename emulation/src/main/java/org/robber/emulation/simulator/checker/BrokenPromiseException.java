package org.robber.emulation.simulator.checker;

/** Something happened that a strategy promises never to happen: a defect of it. */
public final class BrokenPromiseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BrokenPromiseException(String what) {
        super(what);
    }
}
