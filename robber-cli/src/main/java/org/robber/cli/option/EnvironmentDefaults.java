package org.robber.cli.option;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not on the command line from the environment: {@code --piece-size} from {@code
 * ROBBER_PIECE_SIZE}, and options of experiments from {@code ROBBER_LAB_}..., because some of them have the names of other options. An
 * empty variable counts as not set. Hidden options, and those that ask for help or the version, have no variable.
 */
public final class EnvironmentDefaults implements IDefaultValueProvider {

    private static final String EXPERIMENTS = "emulate";

    private final Map<String, String> environment;

    public EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? value(option) : null;
    }

    /** The value of this option in the environment, or null. */
    public @Nullable String value(OptionSpec option) {
        if (!isRead(option)) {
            return null;
        }
        String value = environment.get(variable(option));
        return value == null || value.isEmpty() ? null : value;
    }

    /** Whether an option has a variable. */
    public static boolean isRead(OptionSpec option) {
        return !option.hidden() && !option.usageHelp() && !option.versionHelp();
    }

    /** The variable of an option. */
    public static String variable(OptionSpec option) {
        return (option.command().name().equals(EXPERIMENTS) ? "ROBBER_LAB_" : "ROBBER_")
                + option.longestName().replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
