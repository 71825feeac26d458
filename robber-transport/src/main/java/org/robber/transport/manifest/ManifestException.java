package org.robber.transport.manifest;

/** A manifest or its encoded form breaks a rule. The message names the rule and the entry. */
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
