package org.robber.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.robber.RobberException.Reason;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.progress.StatusConsole;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Shows what is wrong with a command in one line, and where its help is in another. */
final class UsageErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    private final StatusConsole console;
    private final EnvironmentDefaults environment;

    UsageErrors(StatusConsole console, EnvironmentDefaults environment) {
        this.console = console;
        this.environment = environment;
    }

    @Override
    public int handleParseException(ParameterException problem, String[] arguments) {
        String message = firstLine(problem);
        ArgSpec argument = problem.getArgSpec();
        // picocli reports the first bad value; when it isn't on the command line, it is in the environment or a file
        if (argument instanceof OptionSpec option && environment.value(option) != null && !given(option, arguments)) {
            message += " (from " + environment.source(option) + ")";
        }
        console.line(ErrorLines.PREFIX + message);
        CommandLine command = problem.getCommandLine();
        console.line("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return Reason.USAGE.exitCode();
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult parsed) {
        int exitCode = ErrorLines.show(console, problem);
        if (exitCode == Reason.USAGE.exitCode()) {
            console.line("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return exitCode;
    }

    private static String firstLine(ParameterException problem) {
        Throwable cause = problem.getCause();
        String message = String.valueOf(problem.getMessage());
        if (problem.getArgSpec() instanceof OptionSpec option
                && cause instanceof CommandLine.TypeConversionException conversion) {
            // converters say it better than picocli, which puts the name of the Java type in front
            message = option.longestName() + ": "
                    + (wordType(option).isEnum() && problem.getValue() != null
                            ? "'" + problem.getValue() + "' is unknown: use " + words(option)
                            : conversion.getMessage());
        }
        return message.lines().findFirst().orElse("bad usage");
    }

    /** The type of a value, also of one in a list. */
    private static Class<?> wordType(OptionSpec option) {
        return option.auxiliaryTypes()[0];
    }

    /** The words that an option with fixed values takes. */
    private static String words(OptionSpec option) {
        return Stream.of(wordType(option).getEnumConstants())
                .map(value -> value.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    private static boolean given(OptionSpec option, String[] arguments) {
        for (String argument : arguments) {
            for (String name : option.names()) {
                if (argument.equals(name) || argument.startsWith(name + "=")) {
                    return true;
                }
            }
        }
        return false;
    }
}
