package org.robber.core.wire;

/** The ways in which bytes can break the protocol. */
public enum WireError {
    /** The type code isn't known here, or not allowed on this kind of connection. */
    UNKNOWN_TYPE,
    /** The frame is longer than its type may be. */
    OVERSIZED,
    /** The bytes end before the message does. */
    TRUNCATED,
    /** The message ends before the bytes do. */
    TRAILING,
    /** A number is negative or too large: an index, a count, a length. */
    OUT_OF_RANGE,
    /** A piece set is for another number of pieces than the multicast has. */
    WRONG_CAPACITY,
    /** Text that is not UTF-8. */
    BAD_TEXT,
    /** A form that no sender produces. */
    MALFORMED,
    /** The connection does not begin with the magic number: the other side speaks another protocol. */
    BAD_MAGIC,
    /** Another version of the protocol. */
    WRONG_VERSION
}
