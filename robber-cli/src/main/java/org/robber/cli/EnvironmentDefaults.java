package org.robber.cli;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not on the command line from the environment: {@code --piece-size} from {@code
 * ROBBER_PIECE_SIZE}. A variable that is empty counts as not set.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? value(option) : null;
    }

    /** What the environment says about this option, or null. */
    @Nullable
    String value(OptionSpec option) {
        String value = environment.get(variable(option));
        return value == null || value.isEmpty() ? null : value;
    }

    /** The variable that stands for an option. */
    static String variable(OptionSpec option) {
        return "ROBBER_"
                + option.longestName().replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
