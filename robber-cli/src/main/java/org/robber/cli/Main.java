package org.robber.cli;

import java.util.Map;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.option.EnvironmentDefaults;
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
        description = "Copies a file or a tree of files to every node of several clusters, and verifies every byte.",
        versionProvider = VersionText.class,
        mixinStandardHelpOptions = true,
        subcommands = {ReplicateCommand.class, HelpCommand.class},
        footer = {"", "Start here: robber-cli replicate --local=2x4 SRC DEST"})
public final class Main implements Runnable {

    /** This command starts once per node: the classes of all other commands would slow it down. */
    private static final String SHORT = "replicate";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        String command = arguments.length > 0 ? arguments[0] : "";
        int exitCode = command.equals(LocalRun.COMMAND)
                ? orderedNode()
                : commandLine(System.getenv(), !command.equals(SHORT)).execute(arguments);
        // A print stream throws nothing; a result that could not be written is no success.
        if (System.out.checkError()) {
            StatusConsole.standardError().line(ErrorLines.PREFIX + "the output could not be written as a whole");
            exitCode = exitCode == 0 ? Reason.DESTINATION.exitCode() : exitCode;
        }
        System.exit(exitCode);
    }

    /** One node of {@code replicate --local} or {@code -w}. It has no options, and starts in less time without their parser. */
    private static int orderedNode() {
        try {
            return LaunchedNode.runOrdered();
        } catch (RuntimeException problem) {
            return ErrorLines.show(StatusConsole.standardError(), problem);
        }
    }

    /** The command, ready to execute arguments. */
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, true);
    }

    private static CommandLine commandLine(Map<String, String> environment, boolean withAllCommands) {
        EnvironmentDefaults defaults = new EnvironmentDefaults(environment);
        UsageErrors errors = new UsageErrors(StatusConsole.standardError(), defaults);
        CommandLine command = new CommandLine(new Main());
        if (withAllCommands) {
            command.addSubcommand(new EmulateCommand());
            command.addSubcommand(new VerifyCommand());
            command.addSubcommand(new JoinCommand());
            command.addSubcommand(new DoctorCommand());
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
                spec.commandLine(),
                "missing command: use one of replicate, join, verify, doctor, emulate, bench, help, completion");
    }
}
