package org.robber.transport.security;

/** Fired through the pipeline when both sides have proven the secret, and the connection is encrypted if it has to be: from here on, frames may be read and written. */
public enum GreetingDone {
    DONE
}
