package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.report.ReportSchema;

/** {@code replicate --local} from end to end: what arrives, and what is said of it. */
class ReplicateIT {

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    void everyNodeGetsTheTree() throws Exception {
        long seed = Long.getLong("robber.seed", System.nanoTime());
        Path source = Trees.make(folder.resolve("tree"), seed);
        Path report = folder.resolve("report.json");
        try (Launched run = start("--local=2x4", "--report=" + report, source.toString(), dest())) {
            assertThat(run.exitCode()).as("seed %s: %s", seed, run.err()).isZero();
            assertThat(run.out()).contains("RANK", "A-0", "B-3", "cluster B: 4 nodes", "complete: 8 of 8 nodes have ");
            assertThat(run.err()).contains("100%", "7/7 nodes done");
        }
        for (String node : List.of("A-0", "A-1", "A-2", "A-3", "B-0", "B-1", "B-2", "B-3")) {
            Trees.assertSame(source, folder.resolve("dest").resolve(node).resolve("tree"));
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
    }

    @Test
    void aSlashMeansTheContents() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 1);
        try (Launched run = start("--local=1x2", "-o", "json", "-q", source + "/", dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(ReportSchema.problems(run.out())).isEmpty();
            assertThat(run.out()).contains("\"status\" : \"complete\"", "\"exit_code\" : 0");
            assertThat(run.err()).isEmpty();
        }
        Trees.assertSame(source, folder.resolve("dest/A-0"));
        Trees.assertSame(source, folder.resolve("dest/A-1"));
    }

    @Test
    void smallestThingsAreFine() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "one line\n");
        Path emptyFile = Files.createFile(folder.resolve("empty-file"));
        Path emptyTree = Files.createDirectory(folder.resolve("empty-tree"));
        for (Path source : List.of(file, emptyFile, emptyTree)) {
            try (Launched run = start("--local=2x1", source.toString(), dest())) {
                assertThat(run.exitCode()).as(run.err()).isZero();
            }
        }
        for (String node : List.of("A-0", "B-0")) {
            assertThat(folder.resolve("dest").resolve(node).resolve("file")).hasContent("one line\n");
            assertThat(folder.resolve("dest").resolve(node).resolve("empty-file"))
                    .isEmptyFile();
            assertThat(folder.resolve("dest").resolve(node).resolve("empty-tree"))
                    .isEmptyDirectory();
        }
    }

    @Test
    void oneNodeIsAPlainCopy() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 2);
        try (Launched run = start("--local=1x1", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("dest/A-0/tree"));
    }

    @Test
    void specialFilesAreSkippedAndNamed() throws Exception {
        Path source = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(source.resolve("file"), "x");
        assertThat(new ProcessBuilder("mkfifo", source.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        try (Launched run = start("--local=1x2", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.out()).contains("skipped: ", "pipe", "fifo");
            assertThat(run.err()).contains("robber-cli: error: ", "pipe");
        }
        assertThat(Trees.names(folder.resolve("dest/A-1"))).containsExactly("tree", "tree/file");
    }

    @Test
    void missingSourcesEndWithThree() throws Exception {
        try (Launched run = start("--local=1x2", folder + "/none", dest())) {
            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err())
                    .contains("robber-cli: error: ", "none", "no such file")
                    .hasLineCount(1);
            assertThat(run.out()).isEmpty();
        }
        assertThat(Trees.names(folder.resolve("dest"))).isEmpty();
    }

    @Test
    void badDestinationsEndWithSix() throws Exception {
        Path source = Files.writeString(folder.resolve("source"), "x");
        Path dest = Files.createDirectory(folder.resolve("dest"));
        // what not even root can write to
        Files.writeString(dest.resolve("A-1"), "in the way");
        try (Launched run = start("--local=1x3", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err()).contains("robber-cli: error: ", "A-1", "rank 1");
        }
        assertThat(Trees.names(dest)).containsExactly("A-1");
    }

    @Test
    void aReportWithoutAFolderEndsWithSixBeforeAnythingIsWritten() throws Exception {
        Path source = Files.writeString(folder.resolve("source"), "x");
        String report = folder.resolve("nowhere") + "/report.json";
        try (Launched run = start("--local=2x2", "--report=" + report, source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err())
                    .contains("robber-cli: error: ", "report", "nowhere")
                    .hasLineCount(1);
            assertThat(run.out()).isEmpty();
        }
        assertThat(Trees.names(folder.resolve("dest"))).isEmpty();
    }

    @Test
    void dryRunsSayWhatAndWriteNothing() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 3);
        try (Launched run = start("--local=2x2", "-n", "--piece-size=1M", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("4 (A: 2, B: 2)", "of 1.0 MiB", "node B-1 on ", "nothing was written");
        }
        assertThat(folder.resolve("dest")).doesNotExist();
    }

    @Test
    void optionsComeFromTheEnvironmentToo() throws Exception {
        Path source = Files.writeString(folder.resolve("file"), "x");
        Map<String, String> environment =
                Map.of("ROBBER_LOCAL", "1x2", "ROBBER_OUTPUT", "json", "ROBBER_QUIET", "true");
        try (Launched run = Launched.start(folder, environment, "replicate", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(ReportSchema.problems(run.out())).isEmpty();
            assertThat(run.err()).isEmpty();
        }
        Map<String, String> bad = Map.of("ROBBER_LOCAL", "lots");
        try (Launched run = Launched.start(folder, bad, "replicate", source.toString(), dest())) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("from ROBBER_LOCAL");
        }
    }

    @Test
    void theSourceMayNotContainTheDestination() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 4);
        try (Launched run =
                start("--local=1x2", source.toString(), source.resolve("copies").toString())) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("inside the source");
        }
        assertThat(source.resolve("copies")).doesNotExist();
    }

    @Test
    void reportsThatNobodyGetsAreNoSuccess() throws Exception {
        Path source = Files.writeString(folder.resolve("source"), "x");
        try (Launched run = start("--local=1x2", "--report=/dev/full", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err()).contains("all nodes are through, but the report cannot be written to /dev/full");
        }
        assertThat(folder.resolve("dest/A-1/source")).hasContent("x");
        List<String> toNowhere = List.of(
                "sh", "-c", "exec \"$@\" >/dev/full", "sh", Launched.script().toString());
        List<String> command = new ArrayList<>(toNowhere);
        command.addAll(List.of("replicate", "--local=1x2", source.toString(), dest()));
        try (Launched run = Launched.command(folder, Map.of(), command)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err()).contains("the output could not be written");
        }
    }

    private String dest() {
        return folder.resolve("dest").toString();
    }

    private Launched start(String... arguments) throws IOException {
        String[] all = new String[arguments.length + 1];
        all[0] = "replicate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Launched.start(folder, Map.of(), all);
    }
}
