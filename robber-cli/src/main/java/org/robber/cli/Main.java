package org.robber.cli;

import java.util.Map;
import org.robber.RobberException.Reason;
import org.robber.cli.progress.StatusConsole;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code robber-cli}. */
@Command(
        name = "robber-cli",
        description = "Brings one large thing, a file or a tree of files, to every node of several clusters.",
        versionProvider = VersionText.class,
        mixinStandardHelpOptions = true,
        subcommands = {ReplicateCommand.class, HelpCommand.class},
        footer = {"", "Start here: robber-cli replicate --local=2x4 SRC DEST"})
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        boolean replicates = arguments.length > 0 && arguments[0].equals("replicate");
        int exitCode = commandLine(System.getenv(), !replicates).execute(arguments);
        // A print stream keeps such trouble to itself; a result that nobody got is no success.
        if (System.out.checkError()) {
            StatusConsole.standardError().line(UsageErrors.PREFIX + "the output could not be written as a whole");
            exitCode = exitCode == 0 ? Reason.DESTINATION.exitCode() : exitCode;
        }
        System.exit(exitCode);
    }

    /** The command, ready to execute arguments. */
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, true);
    }

    /** The same; the commands that experiments are made with are left out of short jobs, which would load them for nothing. */
    private static CommandLine commandLine(Map<String, String> environment, boolean withExperiments) {
        EnvironmentDefaults defaults = new EnvironmentDefaults(environment);
        UsageErrors errors = new UsageErrors(StatusConsole.standardError(), defaults);
        CommandLine command = new CommandLine(new Main());
        if (withExperiments) {
            command.addSubcommand(new EmulateCommand());
            command.addSubcommand(new BenchCommand());
            command.addSubcommand(new VerifyCommand());
            command.addSubcommand(new JoinCommand());
        }
        CommandLine completion = new CommandLine(new GenerateCompletion());
        completion
                .getCommandSpec()
                .usageMessage()
                .description("Prints a completion script: source <(robber-cli completion)");
        return command.addSubcommand("completion", completion)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setDefaultValueProvider(defaults)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setUsageHelpWidth(100);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: replicate, join, verify, emulate, bench, help or completion");
    }
}
