package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import java.util.regex.Pattern;

/**
 * How the program of a node ended.
 *
 * @param rank its rank
 * @param exitCode its exit code; {@link #STOPPED} if it was stopped because its time was over
 * @param output the end of what it wrote to standard output
 * @param errors the end of what it wrote to standard error
 * @param done all events of type {@link EventLine#DONE} on its standard output, in order, but at most {@link #MOST_DONE}
 */
public record NodeExit(int rank, int exitCode, String output, String errors, ImmutableList<String> done) {
    /** More than nodes of any testbed, of which a launcher may pass on lines. */
    static final int MOST_DONE = 100_000;

    private static final Pattern STACK_LINE = Pattern.compile("at \\S+\\(.*\\)|\\.\\.\\. \\d+ more");

    /** The exit code of a program that was stopped because its time was over. */
    public static final int STOPPED = -1;

    /** Whether the program ended by itself with a failure. */
    boolean isFailure() {
        return isFailure(exitCode);
    }

    /** Whether a program that ended with this code did so by itself, with a failure. */
    static boolean isFailure(int exitCode) {
        return exitCode != 0 && exitCode != STOPPED;
    }

    /** The last line of the errors that says something: no call of a stack trace, and no frame that a launcher draws around its message. */
    public String lastError() {
        return errors.lines()
                .map(String::strip)
                .filter(line -> line.chars().anyMatch(Character::isLetterOrDigit))
                .filter(line -> !STACK_LINE.matcher(line).matches())
                .reduce("", (before, line) -> line);
    }
}
