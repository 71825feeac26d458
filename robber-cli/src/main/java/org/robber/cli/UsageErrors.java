package org.robber.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.progress.TerminalText;
import org.robber.cli.report.FailureReport;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.stream.StreamTarget;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Shows what is wrong with a command in one line, and where its help is in another. With {@code -o json}, a command without a result prints its
 * failure in place of that.
 */
record UsageErrors(StatusConsole console, EnvironmentDefaults environment)
        implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** Set by a command that fails after it has printed its result. */
    static final String HAS_RESULT = "has a result";

    @Override
    public int handleParseException(ParameterException problem, String[] arguments) {
        String message = firstLine(problem);
        ArgSpec argument = problem.getArgSpec();
        // picocli reports the first bad value; when it isn't on the command line, it is in the environment or a file
        if (argument instanceof OptionSpec option
                && environment.value(option) != null
                && given(option, List.of(arguments)) == null) {
            message += " (from " + environment.source(option) + ")";
        }
        console.line(ErrorLines.PREFIX + message);
        CommandLine command = problem.getCommandLine();
        console.line("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        printFailure(
                new RobberException(Reason.USAGE, List.of(), "usage", message),
                command.getCommandSpec(),
                List.of(arguments));
        return Reason.USAGE.exitCode();
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult parsed) {
        int exitCode = ErrorLines.show(console, problem);
        if (exitCode == Reason.USAGE.exitCode()) {
            console.line("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        if (command.getExecutionResult() == null) {
            printFailure(ErrorLines.failure(problem), command.getCommandSpec(), parsed.originalArgs());
        }
        return exitCode;
    }

    /** Prints the failure of a command without a result, if programs are to read it. */
    private void printFailure(RobberException failure, CommandSpec command, List<String> arguments) {
        OptionSpec output = command.findOption(DisplayOptions.OUTPUT);
        if (output != null && OutputFormat.JSON.name().equalsIgnoreCase(value(output, arguments))) {
            // A stream that a copy writes to standard output must not begin with a failure. Where parsing failed, "-"
            // may be SRC, too.
            boolean isForData =
                    command.userObject() instanceof ReplicateCommand && arguments.contains(StreamTarget.STANDARD);
            PrintStream results = isForData ? System.err : System.out;
            results.print(TerminalText.of(FailureReport.json(failure)));
            results.flush();
        }
    }

    /** The value of an option. */
    private @Nullable String value(OptionSpec option, List<String> arguments) {
        @Nullable String given = given(option, arguments);
        return given == null ? environment.value(option) : given;
    }

    /** The last value of an option on the command line, or null. The parser may have stopped before it. */
    private static @Nullable String given(OptionSpec option, List<String> arguments) {
        @Nullable String value = null;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            for (String name : option.names()) {
                if (argument.equals(name)) {
                    value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
                } else if (argument.startsWith(name + "=")) {
                    value = argument.substring(name.length() + 1);
                } else if (name.length() == 2 && argument.startsWith(name)) {
                    value = argument.substring(name.length());
                }
            }
        }
        return value;
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
}
