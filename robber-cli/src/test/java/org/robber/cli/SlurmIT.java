package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that a real Slurm starts, as the page on Slurm says. */
@Execution(ExecutionMode.CONCURRENT)
class SlurmIT {
    private static final int NODES = 3;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Path PAGE = Path.of("../docs/how-to/run-under-slurm.md");
    private static final Pattern BLOCK = Pattern.compile("```sh\n(?<text>.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private Path source;
    private SlurmCluster slurm;

    @BeforeEach
    void startSlurm() throws Exception {
        assumeThat(SlurmCluster.isPossible()).as("Slurm is installed").isTrue();
        source = Trees.make(folder.resolve("tree"), 17);
        for (int rank = 0; rank < NODES; rank++) {
            Files.createDirectories(folder.resolve("scratch/" + rank));
        }
        slurm = new SlurmCluster(folder.resolve("slurm")).start(NODES);
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void theBatchScriptOfTheDocumentationStagesTheData() throws Exception {
        Path script = Files.writeString(folder.resolve("job.sh"), block("#SBATCH"));
        Path output = folder.resolve("job.txt");
        List<String> command = List.of("sbatch", "--wait", "--output=" + output, script.toString());
        try (Launched run = Launched.command(folder, variables(), command)) {
            assertThat(run.exitCode()).as(run.err() + said(output)).isZero();
        }
        assertThat(said(output)).contains("complete: 3 of 3 nodes", "the data is here");
        assertCopies(0, 1, 2);
    }

    @Test
    void theCommandOfTheDocumentationGoesOnWithoutAKilledNode() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(block("srun --nodes").strip().split(" ")));
        command.addAll(command.indexOf("replicate") + 1, List.of("--bwlimit=2M", "--progress=json"));
        try (Launched run = Launched.command(folder, variables(), command)) {
            run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            List<ProcessHandle> victims = Launched.withVariable("SLURM_PROCID", "2").stream()
                    .filter(process -> process.info().commandLine().orElse("").contains("replicate --bwlimit=2M"))
                    .filter(process -> process.info().command().orElse("").endsWith("/java"))
                    .toList();
            assertThat(victims).hasSize(1);
            Launched.signal("KILL", victims.get(0).pid());
            // of all tasks the highest: 23 of the others, 128 + 9 of the victim
            assertThat(run.exitCode()).as(run.err()).isEqualTo(137);
            assertThat(run.out()).contains("partial: 2 of 3 nodes");
        }
        assertCopies(0, 1);
        assertThat(folder.resolve("scratch/2/tree")).doesNotExist();
    }

    @Test
    void switchesAreClusters() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(block("--cluster-by=switch").strip().split(" ")));
        command.add(command.indexOf("replicate") + 1, "-n");
        try (Launched run = Launched.command(folder, variables(), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("nodes:    3 (leaf1: 1, leaf2: 2)", "clusters: switches, by Slurm");
        }
    }

    @Test
    void aSecondRunCopiesWhatTheFiltersSelectAndHasChanged() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(block("srun --nodes").strip().split(" ")));
        command.addAll(command.indexOf("replicate") + 1, List.of("--exclude=*.tmp", "-o", "json"));
        Files.writeString(source.resolve("left.tmp"), "x");
        try (Launched run = Launched.command(folder, variables(), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("scratch/1/tree/left.tmp")).doesNotExist();
        assertThat(folder.resolve("scratch/2/tree/a")).exists();
        Files.delete(source.resolve("left.tmp"));
        Files.writeString(source.resolve("new"), "one more");
        try (Launched run = Launched.command(folder, variables(), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("\"status\" : \"complete\"");
        }
        assertCopies(0, 1, 2);
    }

    /** The block of commands with this text, with the places of this test. */
    private String block(String text) throws IOException {
        Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
        while (blocks.find()) {
            String block = blocks.group("text");
            if (block.contains(text)) {
                return block.replace("--nodes=16", "--nodes=" + NODES)
                        .replace("/opt/robber/bin/robber-cli", Launched.script().toString())
                        .replace("/data/model", source.toString())
                        .replace("/scratch/", folder + "/scratch/{rank}/")
                        .replace("{rank}/model", "0/tree");
            }
        }
        throw new AssertionError("no block with " + text + " in " + PAGE);
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>(slurm.variables());
        variables.put("PATH", "/usr/bin:/bin");
        return variables;
    }

    private static String said(Path output) throws IOException {
        return Files.exists(output) ? Files.readString(output) : "";
    }

    private void assertCopies(int... ranks) throws IOException {
        for (int rank : ranks) {
            Trees.assertSame(source, folder.resolve("scratch/" + rank + "/tree"));
        }
    }
}
