package org.robber.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Runs a program of this module by its command line, as {@code robber-bench/bin} does. */
public final class Program {
    /** The run failed. */
    public static final int FAILED = 1;

    private Program() {}

    /** Returns the program's exit code: its own, 1 if it failed, 2 if an option is wrong. Errors and help are printed. */
    public static int execute(Callable<Integer> program, String... args) {
        CommandLine line = new CommandLine(program);
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("shows these options")
                        .build());
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            command.getErr().println(command.getCommandName() + ": " + problem.getMessage());
            boolean isUsage = problem instanceof IllegalArgumentException;
            return isUsage ? CommandLine.ExitCode.USAGE : FAILED;
        });
        return line.execute(args);
    }

    /**
     * The program with these options, not run.
     *
     * @throws ParameterException if an option is wrong
     */
    public static <T> T parse(T program, String... args) {
        return CommandLine.populateCommand(program, args);
    }
}
