package org.robber.transport.security;

/** Why a greeting did not end well, fired through the pipeline before the connection is closed. */
public record GreetingFailed(Kind kind, String reason) {

    /** What went wrong. */
    public enum Kind {
        /** The other side could not prove the secret, or did not believe our proof. */
        SECRET,
        /** The connection can't be encrypted, or only one side wants that, or somebody is in the middle. */
        TLS,
        /** The other side speaks another version of the protocol. */
        VERSION,
        /** The other side doesn't speak the protocol, or went silent. */
        NO_NODE,
        /** The other side went away without having said anything wrong. */
        LEFT
    }
}
