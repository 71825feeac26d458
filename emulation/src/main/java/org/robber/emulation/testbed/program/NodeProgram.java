package org.robber.emulation.testbed.program;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

/**
 * The program of one node.
 *
 * @param command the program and its arguments, as they are; no shell reads them
 * @param environment variables beside those that every node gets, and instead of them where they have one name
 */
public record NodeProgram(ImmutableList<String> command, ImmutableMap<String, String> environment) {
    public NodeProgram {
        checkArgument(!command.isEmpty(), "no command");
    }
}
