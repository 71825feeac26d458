package org.robber.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ParameterException;

/** Two options of a command that exclude each other, and both have a value. */
final class OptionPair {

    private OptionPair() {}

    /**
     * Whether the first option counts. The command line wins over the environment, and that over the configuration file.
     *
     * @throws ParameterException if both come from one of these
     */
    static boolean firstCounts(CommandLine command, String first, String second) {
        int precedence = precedence(command, first) - precedence(command, second);
        if (precedence == 0) {
            throw new ParameterException(
                    command,
                    "use " + first + " or " + second + ", not both"
                            + (isGiven(command, first)
                                    ? ""
                                    : " (from " + source(command, first) + " and " + source(command, second) + ")"));
        }
        return precedence > 0;
    }

    /** The same for a pair whose first option also wins off the command line. */
    static boolean firstCountsUnlessBothGiven(CommandLine command, String first, String second) {
        boolean isTie = precedence(command, first) == precedence(command, second);
        return (isTie && !isGiven(command, first)) || firstCounts(command, first, second);
    }

    private static int precedence(CommandLine command, String name) {
        if (isGiven(command, name)) {
            return 2;
        }
        IDefaultValueProvider values = command.getDefaultValueProvider();
        return values instanceof EnvironmentDefaults defaults
                        && defaults.isInEnvironment(command.getCommandSpec().findOption(name))
                ? 1
                : 0;
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
