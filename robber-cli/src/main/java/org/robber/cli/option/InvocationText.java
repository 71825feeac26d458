package org.robber.cli.option;

import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command as it was called, to be called again from a shell: with its arguments and what came from the environment. */
public final class InvocationText {

    private static final Pattern PLAIN = Pattern.compile("[\\w./:,=@%+-]+");

    private InvocationText() {}

    /** The call that this command was parsed from: all arguments, the name of the command among them. */
    public static String of(CommandLine command) {
        ParseResult parsed = command.getParseResult();
        StringJoiner text = new StringJoiner(" ");
        if (command.getDefaultValueProvider() instanceof EnvironmentDefaults environment) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                @Nullable String value = environment.value(option);
                if (value != null && !parsed.hasMatchedOption(option)) {
                    text.add(EnvironmentDefaults.variable(option) + "=" + quoted(value));
                }
            }
        }
        text.add(command.getCommandSpec().root().name());
        for (String argument : parsed.originalArgs()) {
            text.add(quoted(argument));
        }
        return text.toString();
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
