package org.robber.emulation.testbed.sandbox;

/** A testbed cannot be set up, differs from its scenario, or has broken; the message says what to do. */
public final class TestbedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** A fault found by this project's own checks. */
    public TestbedException(String message) {
        super(message);
    }

    /** A fault with a cause. */
    public TestbedException(String message, Throwable cause) {
        super(message, cause);
    }
}
