package org.robber.transport.security;

/** Fired through the pipeline when both sides have proven the secret: from here on, frames may be read and written. */
public enum GreetingDone {
    DONE
}
