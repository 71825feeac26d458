package org.robber.emulation.testbed.program;

/**
 * How the program of a node ended.
 *
 * @param rank its rank
 * @param exitCode its exit code; {@link #STOPPED} if it was stopped because its time was over
 * @param output the end of what it wrote to standard output
 * @param errors the end of what it wrote to standard error
 */
public record NodeExit(int rank, int exitCode, String output, String errors) {

    /** The exit code of a program that was stopped because its time was over. */
    public static final int STOPPED = -1;
}
