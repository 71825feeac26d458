package org.robber.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ParameterException;

/** Two options of a command that exclude each other, and both have a value. */
final class OptionPair {

    private OptionPair() {}

    /**
     * Whether the first option counts. What is on the command line wins over the environment and the configuration file.
     *
     * @throws ParameterException if both are on the command line, or neither is
     */
    static boolean firstCounts(CommandLine command, String first, String second) {
        boolean given = isGiven(command, first);
        if (given == isGiven(command, second)) {
            throw new ParameterException(
                    command,
                    "use " + first + " or " + second + ", not both"
                            + (given
                                    ? ""
                                    : " (from " + source(command, first) + " and " + source(command, second) + ")"));
        }
        return given;
    }

    /** Whether an option is on the command line. */
    static boolean isGiven(CommandLine command, String name) {
        return command.getParseResult().hasMatchedOption(name);
    }

    private static String source(CommandLine command, String name) {
        IDefaultValueProvider values = command.getDefaultValueProvider();
        return values instanceof EnvironmentDefaults defaults
                ? defaults.source(command.getCommandSpec().findOption(name))
                : name;
    }
}
