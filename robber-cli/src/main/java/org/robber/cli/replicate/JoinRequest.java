package org.robber.cli.replicate;

import java.nio.file.Path;

/**
 * What the user of a node that joins wants.
 *
 * @param destination where to, as the user wrote it, with placeholders
 * @param memoryBytes budget for pieces on their way
 * @param requestWindow pieces asked of one node at a time
 * @param restart whether to begin anew where an earlier run was interrupted
 * @param stateFolder where to keep what copies consist of
 */
public record JoinRequest(String destination, long memoryBytes, int requestWindow, boolean restart, Path stateFolder) {}
