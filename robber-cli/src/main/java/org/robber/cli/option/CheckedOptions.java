package org.robber.cli.option;

import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of which some contradict one another, or options elsewhere. */
@Command // without it, the annotation processor refuses the specification
public abstract class CheckedOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The failure of a command whose options are wrong. */
    public final ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Refuses options that would be ignored; elsewhere than on the command line they may be set for other jobs. */
    final void refuse(List<String> names, UnaryOperator<String> message) {
        for (String name : names) {
            if (isGiven(name)) {
                throw bad(message.apply(name));
            }
        }
    }

    /** Whether an option is on the command line. Elsewhere it may be set for other jobs. */
    final boolean isGiven(String name) {
        return spec.commandLine().getParseResult().hasMatchedOption(name);
    }

    /**
     * Whether the first of two options counts, which exclude each other and both have a value. The command line wins over the environment, and
     * that over the configuration file.
     *
     * @throws ParameterException if both come from one of these
     */
    final boolean firstCounts(String first, String second) {
        int precedence = precedence(first) - precedence(second);
        if (precedence == 0) {
            throw bad("use " + first + " or " + second + ", not both"
                    + (isGiven(first) ? "" : " (from " + source(first) + " and " + source(second) + ")"));
        }
        return precedence > 0;
    }

    /** The same for a pair whose first option also wins off the command line. */
    final boolean firstCountsUnlessBothGiven(String first, String second) {
        boolean isTie = precedence(first) == precedence(second);
        return (isTie && !isGiven(first)) || firstCounts(first, second);
    }

    private int precedence(String name) {
        if (isGiven(name)) {
            return 2;
        }
        IDefaultValueProvider values = spec.commandLine().getDefaultValueProvider();
        return values instanceof EnvironmentDefaults defaults && defaults.isInEnvironment(spec.findOption(name))
                ? 1
                : 0;
    }

    private String source(String name) {
        IDefaultValueProvider values = spec.commandLine().getDefaultValueProvider();
        return values instanceof EnvironmentDefaults defaults ? defaults.source(spec.findOption(name)) : name;
    }
}
