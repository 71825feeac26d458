package org.robber.emulation.scenario;

/** A scenario cannot be read or breaks a rule. The message names the file, the place inside it, and what was expected. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScenarioException(String message) {
        super(message);
    }

    public ScenarioException(String message, Throwable cause) {
        super(message, cause);
    }
}
