package org.robber.transport.security;

/** Why a greeting did not end well, fired through the pipeline before the connection is closed. */
public record GreetingFailed(Kind kind, String reason) {

    /** What went wrong. */
    public enum Kind {
        /** The other side could not prove the secret, or did not believe our proof. */
        SECRET,
        /** The connection cannot be encrypted, or only one side wants that, or a third party is between the two. */
        TLS,
        /** The other side speaks another version of the protocol. */
        VERSION,
        /** The other side does not speak the protocol, or is silent. */
        NO_NODE,
        /** The other side closed the connection without an error. */
        LEFT
    }
}
