package org.robber.transport.manifest;

/** A manifest, or bytes that should be one, break a rule. The message says which, and at which entry. */
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
