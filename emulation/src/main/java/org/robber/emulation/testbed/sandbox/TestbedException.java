package org.robber.emulation.testbed.sandbox;

/** A testbed can't be set up, does not give what its scenario asks for, or has broken; the message says what to do. */
public final class TestbedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** For what was found out here. */
    public TestbedException(String message) {
        super(message);
    }

    /** For what something else has reported. */
    public TestbedException(String message, Throwable cause) {
        super(message, cause);
    }
}
