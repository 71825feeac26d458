package org.robber.cli;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.HostTerms;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.log.LogProvider;
import org.robber.cli.option.ConfigFile;
import org.robber.cli.option.ConfigOption;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.option.FileNameText;
import org.robber.cli.option.FilterOptions;
import org.robber.cli.progress.StatusConsole;
import org.robber.transport.launch.UserHome;
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

    /** The commands whose options have keys in configuration files. */
    private static final Set<String> CONFIGURED =
            Set.of("replicate", "plan", "join", "verify", "probe", "doctor", "serve", "emulate", "bench");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        LogProvider.use();
        String command = arguments.length > 0 ? arguments[0] : "";
        int exitCode = isNode(command)
                ? orderedNode(List.of(arguments))
                : execute(System.getenv(), UserHome.path(), List.of(arguments), StatusConsole.standardError());
        // A print stream throws nothing; a result that could not be written is no success.
        if (System.out.checkError()) {
            StatusConsole.standardError().line(ErrorLines.PREFIX + "the output could not be written as a whole");
            exitCode = exitCode == 0 ? Reason.DESTINATION.exitCode() : exitCode;
        }
        System.exit(exitCode);
    }

    /** Executes a command with the configuration file that there is; returns the exit code. */
    static int execute(
            Map<String, String> environment, String userHome, List<String> arguments, StatusConsole console) {
        CommandLine command;
        try {
            command = configured(environment, userHome, arguments, console);
        } catch (IllegalArgumentException e) {
            CommandLine named = commandLine(environment).getSubcommands().get(arguments.get(0));
            return new UsageErrors(console, new EnvironmentDefaults(environment))
                    .handleParseException(
                            new ParameterException(named, String.valueOf(e.getMessage())),
                            arguments.toArray(String[]::new));
        }
        return command.execute(arguments.toArray(String[]::new));
    }

    /**
     * Reads the options of a command anew, with the configuration file that there is now.
     *
     * @throws IllegalArgumentException if the file is none
     * @throws ParameterException if an option has no such value
     */
    static CommandLine parse(
            Map<String, String> environment, String userHome, List<String> arguments, StatusConsole console) {
        CommandLine command = configured(environment, userHome, arguments, console);
        var unused = command.parseArgs(arguments.toArray(String[]::new));
        return command;
    }

    private static CommandLine configured(
            Map<String, String> environment, String userHome, List<String> arguments, StatusConsole console) {
        String name = arguments.isEmpty() ? "" : arguments.get(0);
        ConfigFile file = CONFIGURED.contains(name)
                ? ConfigFile.find(arguments, environment, userHome, Main::isList)
                : ConfigFile.none();
        CommandLine command = commandLine(environment, file, console, !name.equals(SHORT));
        if (!file.knows(keys(command))) {
            file.check(keys(commandLine(environment)));
        }
        return command;
    }

    /** Whether a configuration file may have this key several times. */
    private static boolean isList(String key) {
        return FilterOptions.LISTS.contains(key) || key.equals(ServeCommand.LIST);
    }

    /** Tells the keys of configuration files. */
    private static Predicate<String> keys(CommandLine command) {
        return key -> command.getSubcommands().values().stream()
                .anyMatch(one ->
                        EnvironmentDefaults.isKey(key, one.getCommandSpec().options()));
    }

    private static boolean isNode(String command) {
        return command.equals(LocalRun.COMMAND) || command.equals(HostTerms.COMMAND);
    }

    /** One node of {@code replicate --local} or {@code -w}. It has no options, and starts in less time without their parser. */
    private static int orderedNode(List<String> arguments) {
        try {
            return arguments.get(0).equals(HostTerms.COMMAND)
                    ? LaunchedNode.runServed(arguments.subList(1, arguments.size()))
                    : LaunchedNode.runOrdered();
        } catch (RuntimeException | Error problem) {
            return ErrorLines.show(StatusConsole.standardError(), problem);
        }
    }

    /** The command, ready to execute arguments. */
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, ConfigFile.none(), StatusConsole.standardError(), true);
    }

    private static CommandLine commandLine(
            Map<String, String> environment, ConfigFile file, StatusConsole console, boolean withAllCommands) {
        EnvironmentDefaults defaults = new EnvironmentDefaults(environment, file);
        UsageErrors errors = new UsageErrors(console, defaults);
        CommandLine command = new CommandLine(new Main());
        if (withAllCommands) {
            command.addSubcommand(new PlanCommand());
            command.addSubcommand(new EmulateCommand());
            command.addSubcommand(new VerifyCommand());
            command.addSubcommand(new JoinCommand());
            command.addSubcommand(new DoctorCommand());
            command.addSubcommand(new ServeCommand());
            command.addSubcommand(new ProbeCommand());
        }
        // a command with two names is there twice
        for (CommandLine one : new LinkedHashSet<>(command.getSubcommands().values())) {
            if (CONFIGURED.contains(one.getCommandName())) {
                one.getCommandSpec().addMixin("config", CommandSpec.forAnnotatedObject(new ConfigOption()));
            }
        }
        return command.addSubcommand(new CompletionCommand())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setDefaultValueProvider(defaults)
                .registerConverter(Path.class, new FileNameText())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setUsageHelpWidth(100);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command: use one of replicate, plan, join, verify, doctor, probe, serve, emulate, bench, help,"
                        + " completion");
    }
}
