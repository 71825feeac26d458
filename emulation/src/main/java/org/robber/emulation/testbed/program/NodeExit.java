package org.robber.emulation.testbed.program;

import java.util.regex.Pattern;

/**
 * How the program of a node ended.
 *
 * @param rank its rank
 * @param exitCode its exit code; {@link #STOPPED} if it was stopped because its time was over
 * @param output the end of what it wrote to standard output
 * @param errors the end of what it wrote to standard error
 */
public record NodeExit(int rank, int exitCode, String output, String errors) {
    private static final Pattern STACK_LINE = Pattern.compile("at \\S+\\(.*\\)|\\.\\.\\. \\d+ more");

    /** The exit code of a program that was stopped because its time was over. */
    public static final int STOPPED = -1;

    /** The last line of the errors that says something: no call of a stack trace, and no frame that a launcher draws around its message. */
    public String lastError() {
        return errors.lines()
                .map(String::strip)
                .filter(line -> line.chars().anyMatch(Character::isLetterOrDigit))
                .filter(line -> !STACK_LINE.matcher(line).matches())
                .reduce("", (before, line) -> line);
    }
}
