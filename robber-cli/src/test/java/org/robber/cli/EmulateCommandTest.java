package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.emulate.StrategyList;
import org.robber.cli.option.DataSizeText;
import org.robber.cli.option.DeadlineText;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.option.InvocationText;
import org.robber.emulation.experiment.Deadline;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Options of {@code robber-cli emulate}: where their values come from, what bad ones lead to, and what reports keep. */
class EmulateCommandTest {

    private static final String SCENARIO = Path.of("")
            .toAbsolutePath()
            .getParent()
            .resolve("emulation/scenarios/sc05_fig2.json")
            .toString();

    @TempDir
    Path folder;

    @Test
    void everyLongOptionHasAVariable() {
        List<String> variables = emulate(Map.of()).options().stream()
                .filter(EnvironmentDefaults::isRead)
                .map(EnvironmentDefaults::variable)
                .toList();

        assertThat(variables)
                .containsExactlyInAnyOrder(
                        "ROBBER_LAB_STRATEGY",
                        "ROBBER_LAB_SEED",
                        "ROBBER_LAB_BESIDE",
                        "ROBBER_LAB_COLLECTIVE",
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
                        "ROBBER_LAB_ENCRYPT",
                        "ROBBER_LAB_CONGESTION",
                        "ROBBER_LAB_WAN",
                        "ROBBER_LAB_RESERVE_MEMORY",
                        "ROBBER_LAB_JOBS",
                        "ROBBER_LAB_DEADLINE",
                        "ROBBER_LAB_RUN_DEADLINE",
                        "ROBBER_LAB_RESTART",
                        "ROBBER_LAB_REPORT",
                        "ROBBER_LAB_PROGRESS",
                        "ROBBER_LAB_OUTPUT",
                        "ROBBER_LAB_VERBOSE",
                        "ROBBER_LAB_QUIET",
                        "ROBBER_CONFIG")
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
                "--run-deadline=0x",
                "--run-deadline=x",
                "--run-deadline=1e3x",
                "--run-deadline=1m --deadline=3x",
                "--nodes=100000",
                "--backend=cloud",
                "--backend=testbed --jobs=2",
                "--backend=testbed --faults=1",
                "--unknown",
                "-v -q",
                "--trace=t --runs=2",
                "--trace=t --strategy=robber,mob",
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
                "--testbed --exec=true --piece-size=64K",
                "--testbed --piece-size=513M",
                "--testbed --exec=true --request-window=7",
                "--testbed --wan=auto",
                "--reserve-memory",
                "--encrypt",
                "--testbed --exec=true --encrypt",
                "--testbed --exec=true --strategy=mob",
                "--collective=",
                "--collective=scatter,scatter",
                "--collective=multicast,gather --testbed",
                "--collective=multicast,gather --beside=1",
                "--collective=multicast,gather --trace=trace",
            })
    void badUsageEndsWithTwo(String arguments) {
        String[] words = ("emulate " + SCENARIO + " " + arguments).split(" ", -1);

        assertThat(Main.commandLine(Map.of()).execute(words)).isEqualTo(2);
    }

    @Test
    void aTraceOfSeveralScenariosIsRefusedHoweverTheyAreNamed() throws IOException {
        for (String name : List.of("one.json", "two.json")) {
            String text = Files.readString(Path.of(SCENARIO));
            Files.writeString(folder.resolve(name), text.replaceFirst("\"name\": *\"", "\"name\": \"" + name));
        }
        String trace = "--trace=" + folder.resolve("trace");
        assertThat(execute(folder.toString(), trace)).isEqualTo(2);
        assertThat(execute(folder + "/*.json", trace)).isEqualTo(2);
        assertThat(execute(folder + "/one.json," + folder + "/two.json", trace)).isEqualTo(2);
        assertThat(folder.resolve("trace")).doesNotExist();
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
    void scenariosAreNeededAndMustBeThere() {
        assertThat(execute()).isEqualTo(2);
        assertThat(execute(",")).isEqualTo(2);
        assertThat(execute(folder + "/none.json")).isEqualTo(3);
        assertThat(execute(folder.toString())).isEqualTo(3);
    }

    @Test
    void strategiesThatPlanForRankZeroNeedItAsTheRoot() throws IOException {
        Path scenario = folder.resolve("other.json");
        Files.writeString(scenario, Files.readString(Path.of(SCENARIO)).replace("\"X/0\"", "\"Y/0\""));
        String[] once = {scenario.toString(), "--size=1K", "-q"};

        assertThat(execute(with(once, "--strategy=balanced"))).isEqualTo(2);
        assertThat(execute(with(once, "--strategy=robber,chain"))).isEqualTo(2);
        assertThat(execute(with(once, "--strategy=robber,mob,bittorrent"))).isZero();
        assertThat(execute(with(once, "--strategy=chain", "--collective=reduce")))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--report=file", "--report=file/below", "--trace=no/such/folder", "--trace=."})
    void placesThatCannotHoldTheResultsAreRefused(String option) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "mine");

        assertThat(execute(SCENARIO, "--size=1K", option.replace("=", "=" + folder + "/")))
                .isEqualTo(6);
        assertThat(file).hasContent("mine");
    }

    @Test
    void benchAndItsOptionsAreOtherNamesOfTheSame() throws IOException {
        assertThat(execute(
                        SCENARIO,
                        "--strategy=chain,mob",
                        "--runs=2",
                        "--size=1K",
                        "-q",
                        "--run-deadline=1x",
                        "--report=" + folder.resolve("emulate")))
                .isZero();
        assertThat(Main.commandLine(Map.of())
                        .execute(
                                "bench",
                                "--scenarios=" + SCENARIO,
                                "--strategies=chain,mob",
                                "--seeds=2",
                                "--size=1K",
                                "-q",
                                "--backend=sim",
                                "--deadline=1x",
                                "--report=" + folder.resolve("bench")))
                .isZero();
        assertThat(folder.resolve("bench/results.csv"))
                .hasSameTextualContentAs(folder.resolve("emulate/results.csv"))
                .content()
                .contains(",late,");
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

    @ParameterizedTest
    @CsvSource({"90s, 90, false", "2m, 120, false", "3x, 3, true", "1.25x, 1.25, true"})
    void deadlinesAreTimesOrMultiplesOfTheBound(String text, double amount, boolean inBounds) {
        assertThat(new DeadlineText().convert(text)).isEqualTo(new Deadline(amount, inBounds));
    }

    @Test
    void whatIsNoDeadlineIsSaid() {
        assertThatThrownBy(() -> new DeadlineText().convert("3 x"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'3 x' is neither");
    }

    @Test
    void foldersThatHoldSomethingElseAreLeftAlone() throws IOException {
        Path report = folder.resolve("report");
        String[] small = {SCENARIO, "--strategy=chain", "--runs=1", "-q", "--report=" + report};

        assertThat(execute(with(small, "--size=1K"))).isZero();
        String before = Files.readString(report.resolve("results.csv"));
        assertThat(execute(with(small, "--size=2K"))).as("another size").isEqualTo(6);
        assertThat(execute(with(small, "--size=1K", "--faults=3"))).as("faults").isEqualTo(6);
        assertThat(report.resolve("results.csv")).hasContent(before);
        assertThat(execute(with(small, "--size=2K", "--restart"))).isZero();
        assertThat(report.resolve("results.csv")).content().contains(",2048,").doesNotContain(",1024,");

        Files.delete(report.resolve("journal.jsonl"));
        assertThat(execute(with(small, "--size=2K")))
                .as("a report of something else")
                .isEqualTo(6);
    }

    @Test
    void eachCallIsMadeInEachScenario() throws IOException {
        Path report = folder.resolve("report");
        String[] once = {SCENARIO, "--size=1M", "-q", "--report=" + report};

        assertThat(execute(with(once, "--collective=multicast,allgather"))).isZero();
        assertThat(execute(with(once, "--collective=multicast,allgather,reduce")))
                .as("a report with one more call")
                .isZero();
        List<String> lines = Files.readAllLines(report.resolve("summary.csv"));
        assertThat(lines)
                .extracting(line -> line.replaceAll(",.*", ""))
                .containsExactly("scenario", "sc05_fig2", "sc05_fig2:allgather", "sc05_fig2:reduce");
        Path alone = folder.resolve("alone");
        assertThat(execute(SCENARIO, "--size=1M", "-q", "--report=" + alone, "--collective=reduce"))
                .isZero();
        assertThat(Files.readAllLines(alone.resolve("summary.csv")))
                .as("the same figures and bound")
                .containsExactly(lines.get(0), lines.get(3));
    }

    @Test
    void noTwoScenariosGetOneName() throws IOException {
        Path other = folder.resolve("other.json");
        Files.writeString(other, Files.readString(Path.of(SCENARIO)).replace("\"sc05_fig2\"", "\"sc05_fig2:reduce\""));

        assertThat(execute(SCENARIO, other.toString(), "--size=1K", "-q", "--collective=multicast,reduce"))
                .isEqualTo(2);
    }

    @Test
    void aTracedRunIsDoneAgainEvenIfTheJournalHoldsIt() {
        String[] once = {SCENARIO, "--strategy=chain", "--size=1K", "-q", "--report=" + folder.resolve("report")};

        assertThat(execute(once)).isZero();
        assertThat(execute(with(once, "--trace=" + folder.resolve("trace")))).isZero();
        assertThat(folder.resolve("trace")).content().contains(" completed\n");
    }

    @Test
    void onProcessorsOfHalfTheSpeedNodesAreChargedTwice() throws IOException {
        String[] cores = {SCENARIO, "--strategy=chain", "--runs=1", "--size=1M", "-q", "--cores=2"};
        Path fast = folder.resolve("fast");
        Path slow = folder.resolve("slow");

        assertThat(execute(with(cores, "--report=" + fast))).isZero();
        assertThat(execute(with(cores, "--report=" + slow, "--core-speed=0.5"))).isZero();
        assertThat(cpuSeconds(slow)).isCloseTo(2 * cpuSeconds(fast), withinPercentage(1));
        assertThat(execute(with(cores, "--report=" + fast, "--core-speed=0.5")))
                .as("a report of other processors")
                .isEqualTo(6);
    }

    private static double cpuSeconds(Path report) throws IOException {
        List<String> lines = Files.readAllLines(report.resolve("results.csv"));
        int column = List.of(lines.get(0).split(",", -1)).indexOf("cpu_seconds");
        return Double.parseDouble(lines.get(1).split(",", -1)[column]);
    }

    @Test
    void aStrategyThatCannotPlanFailsItsRunsAndNoOthers() throws IOException {
        Path closed = Files.writeString(folder.resolve("closed.json"), """
            {"name": "closed", "root": "A/0", "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
             "links": {"A-B": {"mbps": 0, "delay_ms": 1}, "B-A": {"mbps": 0, "delay_ms": 1}},
             "phases": [{"at": 1, "links": {"A-B": {"mbps": 10}, "B-A": {"mbps": 10}}}]}
            """);
        Path eight = folder.resolve("eight.json");
        Files.writeString(eight, eightClusters());
        Path report = folder.resolve("report");
        String[] both = {closed + "," + eight, "--runs=1", "--size=1K", "-q", "--report=" + report};
        String all = "--strategy=balanced,balanced:exact,chain";

        assertThat(execute(with(both, all))).isEqualTo(23);
        assertThat(Files.readAllLines(report.resolve("results.csv")))
                .extracting(line -> line.replaceAll(",seed.*", "").replaceAll("(complete|incomplete),.*", "$1"))
                .containsExactly(
                        "scenario,backend,strategy",
                        "closed,simulator,balanced,1,incomplete",
                        "closed,simulator,balanced:exact,1,incomplete",
                        "closed,simulator,chain,1,complete",
                        "eight,simulator,balanced,1,complete",
                        "eight,simulator,balanced:exact,1,incomplete",
                        "eight,simulator,chain,1,complete");
        assertThat(report.resolve("results.csv"))
                .content()
                .contains("nothing reaches cluster B from A", "8 clusters have too many trees");
        assertThat(execute(with(both, all))).as("from the journal").isEqualTo(23);
        assertThat(execute(with(both, "--strategy=balanced:exact")))
                .as("no run complete")
                .isEqualTo(5);
    }

    private static String eightClusters() {
        List<String> names = List.of("A", "B", "C", "D", "E", "F", "G", "H");
        String clusters = names.stream()
                .map(name -> "{\"name\": \"" + name + "\", \"nodes\": 1}")
                .collect(Collectors.joining(","));
        String links = names.stream()
                .flatMap(from -> names.stream()
                        .filter(to -> !to.equals(from))
                        .map(to -> "\"" + from + "-" + to + "\": {\"mbps\": 10, \"delay_ms\": 1}"))
                .collect(Collectors.joining(","));
        return "{\"name\": \"eight\", \"root\": \"A/0\", \"clusters\": [" + clusters + "], \"links\": {" + links + "}}";
    }

    @Test
    void helpNamesEveryOptionAndExitCode() {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine(Map.of()).setOut(new PrintWriter(text));

        assertThat(command.execute("emulate", "--help")).isZero();
        emulate(Map.of()).options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> assertThat(text.toString()).contains(option.longestName()));
        assertThat(text.toString())
                .contains(
                        "FILE",
                        "Exit codes:",
                        "journal.jsonl",
                        "130/143",
                        "ROBBER_LAB_",
                        "goodput",
                        "share of the bound",
                        "docs/how-to/emulate.md");
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

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
    }

    private static int execute(String... arguments) {
        return Main.commandLine(Map.of()).execute(with(new String[] {"emulate"}, arguments));
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
