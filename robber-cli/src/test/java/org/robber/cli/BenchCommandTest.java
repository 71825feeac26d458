package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;
import org.robber.cli.emulate.ScenarioPaths;
import org.robber.cli.option.DeadlineText;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.emulation.experiment.Deadline;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Options of {@code robber-cli bench}, and what bad ones lead to. */
class BenchCommandTest {

    private static final String SCENARIO = Path.of("")
            .toAbsolutePath()
            .getParent()
            .resolve("emulation/scenarios/sc05_fig2.json")
            .toString();

    @TempDir
    Path folder;

    @Test
    void everyLongOptionHasAVariable() {
        List<String> variables = bench().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(EnvironmentDefaults::variable)
                .toList();

        assertThat(variables)
                .containsExactlyInAnyOrder(
                        "ROBBER_LAB_SCENARIOS",
                        "ROBBER_LAB_STRATEGIES",
                        "ROBBER_LAB_SEEDS",
                        "ROBBER_LAB_BACKEND",
                        "ROBBER_LAB_DEADLINE",
                        "ROBBER_LAB_RESTART",
                        "ROBBER_LAB_SEED",
                        "ROBBER_LAB_DATA_SIZE",
                        "ROBBER_LAB_NODES",
                        "ROBBER_LAB_PIECE_SIZE",
                        "ROBBER_LAB_REQUEST_WINDOW",
                        "ROBBER_LAB_BWLIMIT",
                        "ROBBER_LAB_WAN_BWLIMIT",
                        "ROBBER_LAB_FAULTS",
                        "ROBBER_LAB_CORES",
                        "ROBBER_LAB_CORE_SPEED",
                        "ROBBER_LAB_CONGESTION",
                        "ROBBER_LAB_WAN",
                        "ROBBER_LAB_RESERVE_MEMORY",
                        "ROBBER_LAB_JOBS",
                        "ROBBER_LAB_REPORT",
                        "ROBBER_LAB_PROGRESS",
                        "ROBBER_LAB_OUTPUT",
                        "ROBBER_LAB_VERBOSE",
                        "ROBBER_LAB_QUIET")
                .as("that one is the number of nodes of a job")
                .doesNotContain("ROBBER_SIZE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--seeds=0",
                "--seeds=-3",
                "--seeds=many",
                "--strategies=rober",
                "--strategies=robber,robber",
                "--strategies=",
                "--backend=cloud",
                "--deadline=0s",
                "--deadline=0x",
                "--deadline=x",
                "--deadline=1e3x",
                "--backend=testbed --jobs=2",
                "--backend=testbed --faults=1",
                "--backend=testbed --cores=2",
                "--congestion=bbr",
                "--wan=tun",
                "--bwlimit=0",
                "--wan-bwlimit=fast",
                "--backend=testbed --wan=auto",
                "--reserve-memory",
                "--nodes=0",
                "--nodes=100000",
                "--seeds=1000001",
                "--size=1TB --piece-size=1",
                "--size=12X",
                "-v -q",
                "--unknown"
            })
    void badUsageEndsWithTwo(String arguments) {
        assertThat(execute(("--scenarios=" + SCENARIO + " " + arguments).split(" ", -1)))
                .isEqualTo(2);
    }

    @Test
    void scenariosAreNeededAndMustBeThere() {
        assertThat(execute()).isEqualTo(2);
        assertThat(execute("--scenarios=,")).isEqualTo(2);
        assertThat(execute("--scenarios=" + folder + "/none.json")).isEqualTo(3);
        assertThat(execute("--scenarios=" + folder)).isEqualTo(3);
    }

    @Test
    void foldersAndWildcardsMeanTheirFilesInOrder() throws IOException {
        Path b = Files.writeString(folder.resolve("b_2.json"), "{}");
        Path a = Files.writeString(folder.resolve("a_1.json"), "{}");
        Path c = Files.writeString(folder.resolve("c[1].json"), "{}");
        Files.writeString(folder.resolve("notes.txt"), "");

        assertThat(ScenarioPaths.parse(List.of(folder.toString()))).containsExactly(a, b, c);
        assertThat(ScenarioPaths.parse(List.of(folder + "/?_*.json," + c))).containsExactly(a, b, c);
        assertThat(ScenarioPaths.parse(List.of(b.toString(), a.toString()))).containsExactly(b, a);
        assertThatThrownBy(() -> ScenarioPaths.parse(List.of(folder + "/x*.json")))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("x*.json: there is no such file");
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
        String[] small = {"--scenarios=" + SCENARIO, "--strategies=chain", "--seeds=1", "-q", "--report=" + report};

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
        assertThat(execute("--scenarios=" + SCENARIO, "--report=" + SCENARIO))
                .as("a file")
                .isEqualTo(6);
    }

    @Test
    void onProcessorsOfHalfTheSpeedNodesAreChargedTwice() throws IOException {
        String[] cores = {"--scenarios=" + SCENARIO, "--strategies=chain", "--seeds=1", "--size=1M", "-q", "--cores=2"};
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
        String[] bench = {"--scenarios=" + closed + "," + eight, "--seeds=1", "--size=1K", "-q", "--report=" + report};
        String all = "--strategies=balanced,balanced:exact,chain";

        assertThat(execute(with(bench, all))).isEqualTo(23);
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
        assertThat(execute(with(bench, all))).as("from the journal").isEqualTo(23);
        assertThat(execute(with(bench, "--strategies=balanced:exact")))
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

        assertThat(command.execute("bench", "--help")).isZero();
        bench().options().forEach(option -> assertThat(text.toString()).contains(option.longestName()));
        assertThat(text.toString()).contains("Exit codes:", "journal.jsonl", "goodput", "130/143");
    }

    private static String[] with(String[] arguments, String... more) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(arguments), java.util.Arrays.stream(more))
                .toArray(String[]::new);
    }

    private static int execute(String... arguments) {
        return Main.commandLine(Map.of()).execute(with(new String[] {"bench"}, arguments));
    }

    private static CommandSpec bench() {
        return Main.commandLine(Map.of()).getSubcommands().get("bench").getCommandSpec();
    }
}
