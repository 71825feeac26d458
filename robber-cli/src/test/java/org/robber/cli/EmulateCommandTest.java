package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.emulate.StrategyList;
import org.robber.cli.option.DataSizeText;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.option.InvocationText;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Options of {@code robber-cli emulate}: where their values come from, and what bad ones lead to. */
class EmulateCommandTest {

    @Test
    void everyLongOptionHasAVariable() {
        List<String> variables = emulate(Map.of()).options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(EnvironmentDefaults::variable)
                .toList();

        assertThat(variables)
                .containsExactlyInAnyOrder(
                        "ROBBER_LAB_STRATEGY",
                        "ROBBER_LAB_SEED",
                        "ROBBER_LAB_RUNS",
                        "ROBBER_LAB_DATA_SIZE",
                        "ROBBER_LAB_NODES",
                        "ROBBER_LAB_PIECE_SIZE",
                        "ROBBER_LAB_REQUEST_WINDOW",
                        "ROBBER_LAB_BWLIMIT",
                        "ROBBER_LAB_WAN_BWLIMIT",
                        "ROBBER_LAB_FAULTS",
                        "ROBBER_LAB_CORES",
                        "ROBBER_LAB_CORE_SPEED",
                        "ROBBER_LAB_TRACE",
                        "ROBBER_LAB_TESTBED",
                        "ROBBER_LAB_EXEC",
                        "ROBBER_LAB_CONGESTION",
                        "ROBBER_LAB_WAN",
                        "ROBBER_LAB_RESERVE_MEMORY",
                        "ROBBER_LAB_JOBS",
                        "ROBBER_LAB_DEADLINE",
                        "ROBBER_LAB_REPORT",
                        "ROBBER_LAB_PROGRESS",
                        "ROBBER_LAB_OUTPUT",
                        "ROBBER_LAB_VERBOSE",
                        "ROBBER_LAB_QUIET")
                .as("that one is the number of nodes of a job")
                .doesNotContain("ROBBER_SIZE");
    }

    @Test
    void valuesComeFromFlagsThenTheEnvironmentThenDefaults() {
        Map<String, String> environment = Map.of("ROBBER_LAB_STRATEGY", "robber,mob", "ROBBER_LAB_DATA_SIZE", "5MB");

        assertThat(value(environment, "--strategy")).isEqualTo(List.of("robber,mob"));
        assertThat(value(environment, "--strategy", "--strategy=mob")).isEqualTo(List.of("mob"));
        assertThat(value(environment, "--size")).isEqualTo(5_000_000L);
        assertThat(value(environment, "--size", "--size=4K")).isEqualTo(4096L);
        assertThat(value(Map.of(), "--strategy")).isEqualTo(List.of());
        assertThat(value(Map.of(), "--size")).isEqualTo(600_000_000L);
        assertThat(value(Map.of(), "--seed")).isEqualTo(1L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--runs=0",
                "--runs=many",
                "--nodes=0",
                "--nodes=2000000",
                "--jobs=0",
                "--request-window=0",
                "--piece-size=0",
                "--piece-size=2G",
                "--size=12X",
                "--size=-1",
                "--strategy=none",
                "--strategy=robber,robber",
                "--strategy=",
                "--seed=x",
                "--progress=loud",
                "--output=xml",
                "--deadline=0s",
                "--unknown",
                "-v -q",
                "--trace=t --runs=2",
                "--trace=t --strategy=robber,mob",
                "--trace=t second-scenario.json",
                "--trace=t --testbed",
                "--faults=1 --testbed",
                "--faults=x",
                "--cores=2 --testbed",
                "--cores=0",
                "--runs=1000001",
                "--size=1TB --piece-size=1",
                "--core-speed=0.5",
                "--cores=2 --core-speed=0",
                "--cores=2 --core-speed=-1",
                "--cores=2 --core-speed=NaN",
                "--cores=2 --core-speed=1e9",
                "--cores=2 --core-speed=1e-9",
                "--cores=2 --core-speed=fast",
                "--jobs=2 --testbed",
                "--exec=true",
                "--congestion=bbr",
                "--wan=tun",
                "--bwlimit=0",
                "--wan-bwlimit=fast",
                "--testbed --exec=true --bwlimit=1M",
                "--testbed --wan=auto",
                "--reserve-memory",
                "--testbed --exec=true --strategy=mob",
            })
    void badUsageEndsWithTwo(String arguments) {
        String[] words = ("emulate scenario.json " + arguments).split(" ", -1);

        assertThat(Main.commandLine(Map.of()).execute(words)).isEqualTo(2);
    }

    @Test
    void commasSeparateStrategiesAndTheirOptions() {
        assertThat(StrategyList.parse(List.of("robber,bittorrent:rarest,endgame,mob", "bittorrent")))
                .containsExactly("robber", "bittorrent:endgame,rarest", "mob", "bittorrent");
        assertThatThrownBy(() -> StrategyList.parse(List.of("bittorrent:rarest,endgame", "bittorrent:endgame,rarest")))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> StrategyList.parse(List.of("bittorrent:rarest,rober")))
                .hasMessageContaining("has no option 'rober'");
    }

    @Test
    void aScenarioIsNeeded() {
        assertThat(Main.commandLine(Map.of()).execute("emulate")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "600MB, 600000000",
        "600mb, 600000000",
        "1kB,   1000",
        "3GB,   3000000000",
        "2TB,   2000000000000",
        "7B,    7",
        "64K,   65536",
        "1M,    1048576",
        "0,     0"
    })
    void sizesAreDecimalWithABAndBinaryWithout(String text, long bytes) {
        assertThat(new DataSizeText().convert(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MB", "1.5MB", "1MiB", "-1MB", "999999999999TB", "1000000000000000000GB"})
    void whatIsNoSizeIsSaid(String text) {
        assertThatThrownBy(() -> new DataSizeText().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "' is");
    }

    @Test
    void helpNamesEveryOptionAndExitCode() {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine(Map.of()).setOut(new PrintWriter(text));

        assertThat(command.execute("emulate", "--help")).isZero();
        emulate(Map.of())
                .options()
                .forEach(option -> assertThat(text.toString()).contains(option.longestName()));
        assertThat(text.toString())
                .contains("FILE", "Exit codes:", "ROBBER_LAB_RUNS", "share of the bound", "docs/how-to/emulate.md");
        assertThat(command.execute("help")).isZero();
        assertThat(text.toString()).contains("emulate");
    }

    @Test
    void theInvocationCanBeRepeatedFromAShell() {
        CommandLine command =
                Main.commandLine(Map.of("ROBBER_LAB_RUNS", "3", "ROBBER_LAB_SEED", "5", "ROBBER_LAB_TRACE", "a b"));
        command.parseArgs("emulate", "it's here.json", "--seed=7", "-q");

        assertThat(InvocationText.of(command.getSubcommands().get("emulate")))
                .isEqualTo(
                        "ROBBER_LAB_RUNS=3 ROBBER_LAB_TRACE='a b' robber-cli emulate 'it'\\''s here.json' --seed=7 -q");
    }

    private static CommandSpec emulate(Map<String, String> environment) {
        return Main.commandLine(environment).getSubcommands().get("emulate").getCommandSpec();
    }

    private static Object value(Map<String, String> environment, String name, String... flags) {
        CommandLine command = Main.commandLine(environment);
        String[] arguments = new String[flags.length + 2];
        arguments[0] = "emulate";
        System.arraycopy(flags, 0, arguments, 1, flags.length);
        arguments[flags.length + 1] = "scenario.json";
        command.parseArgs(arguments);
        return command.getSubcommands()
                .get("emulate")
                .getCommandSpec()
                .findOption(name)
                .getValue();
    }
}
