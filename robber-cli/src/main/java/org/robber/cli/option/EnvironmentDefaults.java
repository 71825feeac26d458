package org.robber.cli.option;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not on the command line from the environment, or else from a configuration file: {@code --piece-size} from {@code
 * ROBBER_PIECE_SIZE} or {@code piece-size}, and options of experiments from {@code ROBBER_LAB_}... or {@code lab-}..., because some of them
 * have the names of other options. An empty variable counts as not set. Hidden options, and those that ask for help or the version, have
 * no variable.
 */
public final class EnvironmentDefaults implements IDefaultValueProvider {

    private static final String EXPERIMENTS = "emulate";
    private static final String PREFIX = "ROBBER_";

    private final Map<String, String> environment;
    private final ConfigFile file;

    public EnvironmentDefaults(Map<String, String> environment) {
        this(environment, ConfigFile.none());
    }

    public EnvironmentDefaults(Map<String, String> environment, ConfigFile file) {
        this.environment = environment;
        this.file = file;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? value(option) : null;
    }

    /** The value of this option in the environment or the file, or null. */
    public @Nullable String value(OptionSpec option) {
        if (!isRead(option)) {
            return null;
        }
        String value = environment.get(variable(option));
        return value == null || value.isEmpty() ? file.value(key(option)) : value;
    }

    /** Where the value of this option comes from, for people. */
    public String source(OptionSpec option) {
        return isInEnvironment(option) ? variable(option) : file.place(key(option));
    }

    /** Whether a variable gives this option a value. */
    boolean isInEnvironment(OptionSpec option) {
        String value = environment.get(variable(option));
        return value != null && !value.isEmpty();
    }

    /** Whether an option has a variable. */
    public static boolean isRead(OptionSpec option) {
        return !option.hidden() && !option.usageHelp() && !option.versionHelp();
    }

    /** The variable of an option. */
    public static String variable(OptionSpec option) {
        boolean ofExperiments = option.command().name().equals(EXPERIMENTS)
                && !option.longestName().equals(ConfigOption.NAME);
        return PREFIX
                + (ofExperiments ? "LAB_" : "")
                + option.longestName().replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The key of an option in configuration files; the file itself has none. */
    public static String key(OptionSpec option) {
        return option.longestName().equals(ConfigOption.NAME)
                ? ""
                : variable(option)
                        .substring(PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
    }

    /** Whether some option of these commands has this key. */
    public static boolean isKey(String key, Iterable<? extends OptionSpec> options) {
        for (OptionSpec option : options) {
            if (isRead(option) && !key.isEmpty() && key(option).equals(key)) {
                return true;
            }
        }
        return false;
    }
}
