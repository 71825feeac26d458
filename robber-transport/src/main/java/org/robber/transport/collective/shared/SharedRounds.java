package org.robber.transport.collective.shared;

/**
 * The steps of a member in a call through {@link SharedWindows}. In each round it shows something in its window, meets the others, and copies what they show. A
 * last meeting follows. When a round begins, all have copied what was shown two rounds before.
 */
interface SharedRounds {
    /** How many there are; the same at all members. */
    int count();

    /** Shows what this node has for a round, from 0. */
    void show(int round);

    /** Copies what others show in a round; returns the number of bytes that are at their place now. */
    long copy(int round);

    /** The bytes that {@link #end} copies. */
    long ownBytes();

    /** All have copied all. This node copies what it has and wants elsewhere. */
    void end();
}
