package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.option.ConfigFile;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.option.FilterOptions;
import org.robber.cli.progress.StatusConsole;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Values of options from a file. */
class ConfigFileTest {

    @TempDir
    Path folder;

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws IOException {
        Path file = write("config", """
                # of all jobs
                piece-size = 1M

                memory=8M
                digest = sha256
                restart = true
                exclude = *.tmp
                exclude = cache/
                lab-runs = 3
                """);
        List<String> arguments = List.of("--config=" + file);
        Map<String, String> variables = Map.of("ROBBER_MEMORY", "16M");

        assertThat(value(variables, arguments, "--piece-size")).isEqualTo(1 << 20);
        assertThat(value(variables, arguments, "--piece-size", "--piece-size=64K"))
                .isEqualTo(65536);
        assertThat(value(variables, arguments, "--memory")).isEqualTo(16L << 20);
        assertThat(value(variables, arguments, "--digest")).isEqualTo("sha256");
        assertThat(value(variables, arguments, "--restart")).isEqualTo(true);
        assertThat(value(variables, arguments, "--exclude")).isEqualTo(List.of("*.tmp", "cache/"));
    }

    @Test
    void theFileIsNamedByAFlagAVariableOrItsPlace() throws IOException {
        Path named = write("named", "memory = 5M");
        Path variable = write("variable", "memory = 6M");
        write("home/.config/robber/config", "memory = 7M");
        write("xdg/robber/config", "memory = 8M");
        Map<String, String> variables = Map.of("ROBBER_CONFIG", variable.toString());
        Map<String, String> xdg =
                Map.of("XDG_CONFIG_HOME", folder.resolve("xdg").toString());

        assertThat(value(variables, List.of("--config", named.toString()), "--memory"))
                .isEqualTo(5L << 20);
        assertThat(value(variables, List.of(), "--memory")).isEqualTo(6L << 20);
        assertThat(value(Map.of(), List.of(), "--memory")).isEqualTo(7L << 20);
        assertThat(value(xdg, List.of(), "--memory")).isEqualTo(8L << 20);
        assertThat(value(Map.of("XDG_CONFIG_HOME", "/no/such"), List.of(), "--memory"))
                .isEqualTo(512L << 20);
        // what comes after -- is no option
        assertThat(value(Map.of(), List.of("--", "--config=" + named), "--memory"))
                .isEqualTo(7L << 20);
    }

    @Test
    void whatIsWrongIsNamedWithItsLine() throws IOException {
        assertThat(execute("memory = 5M\n\npice-size = 1M"))
                .isEqualTo("2 robber-cli: error: " + folder.resolve("config") + ":3: 'pice-size' is no option: keys are"
                        + " long options without dashes, as in docs/reference/cli.md\n"
                        + "Try 'robber-cli replicate --help'.\n");
        assertThat(execute("memory 5M")).startsWith("2 ").contains("config:1: 'memory 5M' is no setting");
        assertThat(execute("memory=5M\nmemory=6M")).contains("config:2: 'memory' is there already, in line 1");
        assertThat(execute("config = other")).contains("config:1: 'config' is no option");
        assertThat(execute("help = true")).contains("config:1: 'help' is no option");
        assertThat(execute("= 5")).contains("config:1: '' is no option");
        assertThat(execute("memory = 1K")).contains("--memory: '1K' is too little", "(from " + folder + "/config:1)");
        assertThat(execute("on-failure = ignore")).contains("'ignore' is unknown", "(from " + folder + "/config:1)");
        assertThat(execute("lab-runs = 3\nmemory ="))
                .as("keys of other commands are no errors")
                .startsWith("3 ");
        Files.write(folder.resolve("config"), new byte[] {(byte) 0xff, '\n'});
        assertThat(execute(null)).startsWith("2 ").contains("is not UTF-8");
        Files.delete(folder.resolve("config"));
        assertThat(execute(null)).startsWith("2 ").contains("there is no configuration file");
    }

    @Test
    void everyKeyIsOfOneOption() {
        CommandLine command = Main.commandLine(Map.of());
        assertThat(keys(command, "replicate"))
                .contains("piece-size", "hosts", "tls-ca")
                .doesNotContain("config", "lab-runs");
        assertThat(keys(command, "emulate")).contains("lab-runs", "lab-report").doesNotContain("runs", "report");
    }

    @Test
    void aFolderIsNoFile() {
        assertThatThrownBy(() ->
                        ConfigFile.find(List.of("--config=" + folder), Map.of(), "/", FilterOptions.LISTS::contains))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(folder + " cannot be read: Is a directory");
    }

    private static List<String> keys(CommandLine root, String command) {
        return root.getSubcommands().get(command).getCommandSpec().options().stream()
                .filter(EnvironmentDefaults::isRead)
                .map(EnvironmentDefaults::key)
                .toList();
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Runs a job without a source; returns the exit code, and what was said of it. */
    private String execute(String config) throws IOException {
        Path file = config == null ? folder.resolve("config") : write("config", config);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int exitCode = Main.execute(
                Map.of(),
                folder.toString(),
                List.of("replicate", "--local=1x1", "-n", "--config", file.toString(), "/no/such", "dest"),
                new StatusConsole(new PrintStream(said, true, StandardCharsets.UTF_8)));
        return exitCode + " " + said.toString(StandardCharsets.UTF_8);
    }

    private Object value(Map<String, String> variables, List<String> arguments, String option, String... more) {
        ConfigFile file =
                ConfigFile.find(arguments, variables, folder.resolve("home").toString(), FilterOptions.LISTS::contains);
        CommandLine command =
                Main.commandLine(variables).setDefaultValueProvider(new EnvironmentDefaults(variables, file));
        String[] all = new String[more.length + 3];
        all[0] = "replicate";
        System.arraycopy(more, 0, all, 1, more.length);
        all[more.length + 1] = "source";
        all[more.length + 2] = "destination";
        command.parseArgs(all);
        OptionSpec spec =
                command.getSubcommands().get("replicate").getCommandSpec().findOption(option);
        return spec.getValue();
    }
}
