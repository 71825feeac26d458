package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.robber.cli.option.EnvironmentDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * {@code docs/reference/cli.md} and the manual page list the options that the commands have. {@code -Drobber.write.docs=true}
 * writes the pages from them.
 */
class CliReferenceTest {
    private static final Path REFERENCE =
            Path.of("").toAbsolutePath().resolveSibling("docs").resolve("reference");
    private static final Path MANUAL = Path.of("src/dist/share/man/man1/robber-cli.1");
    private static final List<String> COMMANDS =
            List.of("replicate", "plan", "probe", "join", "verify", "doctor", "serve", "emulate");

    @Test
    void thePageListsTheOptionsOfTheCommands() throws IOException {
        assertIsUpToDate(REFERENCE.resolve("cli.md"), page(Main.commandLine(Map.of())));
    }

    @Test
    void theManualListsTheOptionsOfTheCommands() throws IOException {
        String exitCodes = Files.readString(REFERENCE.resolve("exit-codes.md"));
        assertIsUpToDate(MANUAL, ManualPage.text(Main.commandLine(Map.of()), COMMANDS, exitCodes));
    }

    /** Lines that are too long would be divided, and continued without their indentation. */
    @Test
    void linesBelowTheOptionsFitIntoTheHelp() {
        CommandLine main = Main.commandLine(Map.of());
        for (String name : COMMANDS) {
            UsageMessageSpec usage =
                    main.getSubcommands().get(name).getCommandSpec().usageMessage();
            assertThat(usage.footer())
                    .allMatch(line -> line.length() < usage.width(), "is shorter than the help is wide");
        }
    }

    private static void assertIsUpToDate(Path file, String page) throws IOException {
        if (Boolean.getBoolean("robber.write.docs")) {
            Files.writeString(file, page);
        }
        assertThat(file)
                .as("write it anew: mvn test -pl robber-cli -am -Dtest=CliReferenceTest -Drobber.write.docs=true")
                .hasContent(page);
    }

    private static String page(CommandLine main) {
        StringBuilder page = new StringBuilder("""
            # Command line

            `robber-cli COMMAND [OPTION...] ARGUMENT...`. `robber-cli COMMAND --help` shows the same with examples. `robber-cli completion` prints a
            completion script for bash and zsh. [Exit codes](exit-codes.md) have a page.

            Each option may come from the environment, by the variable in the last column, or from a
            [configuration file](../how-to/configure.md). The command line wins over the environment, which wins over the file. An empty
            variable counts as not set. Only an empty `ROBBER_SECRET_FILE` or `ROBBER_SECRET` ends a job that nodes join, with exit code 2: it would
            run without a secret. Sizes are powers of two (`64K`, `1M`, `4G`). Rates are bytes (`60M`) or decimal bits (`500Mbit`) a
            second. Times have a unit (`90s`, `5m`, `2h`).

            A test keeps this page equal to the program.
            """);
        for (String name : COMMANDS) {
            command(page, main.getSubcommands().get(name).getCommandSpec());
        }
        return page.toString();
    }

    private static void command(StringBuilder page, CommandSpec spec) {
        page.append("\n## ").append(spec.name()).append("\n\n");
        page.append(text(spec.usageMessage().description())).append("\n\n");
        if (spec.aliases().length > 0) {
            page.append("Another name: `")
                    .append(String.join("`, `", spec.aliases()))
                    .append("`.\n\n");
        }
        if (ManualPage.OPTIONS_OF_REPLICATE.equals(spec.name())) {
            return;
        }
        page.append("| Argument or option | Meaning | Variable |\n|---|---|---|\n");
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            row(page, parameter.paramLabel(), text(parameter.description()), "");
        }
        for (OptionSpec option : spec.options()) {
            if (EnvironmentDefaults.isRead(option)) {
                String names = String.join("`, `", option.names());
                String label = option.arity().max() == 0
                        ? ""
                        : "=" + option.paramLabel().replaceFirst("^=", "");
                row(page, names + label, text(option.description()), "`" + EnvironmentDefaults.variable(option) + "`");
            }
        }
    }

    private static void row(StringBuilder page, String name, String meaning, String variable) {
        page.append(List.of("`" + name + "`", meaning, variable).stream()
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** The lines of a description as one paragraph; what picocli replaces in its help stands as it will be there. */
    private static String text(String... lines) {
        return String.join(" ", lines)
                .replace("%n", " ")
                .replace("%%", "%")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
