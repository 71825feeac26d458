package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.report.ReportSchema;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Streams of unknown length from end to end: from standard input or a fifo, to files, fifos or standard output. */
class StreamIT {
    private static final int NODES = 3;
    private static final String ROBBER = Launched.script().toString();

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    void everyNodeWritesStandardInputToItsFile() throws Exception {
        Path data = data(77_777_777);
        Path report = folder.resolve("report.json");
        try (Launched run = shell("cat data | " + ROBBER + " replicate --local=2x2 --report=report.json - dest")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 4 of 4 nodes have ");
        }
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(folder.resolve("dest").resolve(node)).hasSameBinaryContentAs(data);
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(Files.readString(report)).contains("77777777");
        assertThat(names(folder.resolve("dest"))).hasSize(4);
    }

    @Test
    void anEmptyStreamIsAnEmptyFile() throws Exception {
        try (Launched run = shell(ROBBER + " replicate --local=1x2 - dest < /dev/null")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("dest/A-0")).isEmptyFile();
        assertThat(folder.resolve("dest/A-1")).isEmptyFile();
    }

    @Test
    void aFifoIsASource() throws Exception {
        Path data = data(1_000_000);
        try (Launched run = shell("mkfifo in; cat data > in & " + ROBBER + " replicate --local=1x2 in 'copy-{node}'")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("copy-A-1")).hasSameBinaryContentAs(data);
    }

    @Test
    void treesGoThroughPipesAtBothEnds() throws Exception {
        Path tree = Trees.make(folder.resolve("tree"), SeededRuns.firstSeed());
        List<Launched> nodes = nodes(rank ->
                (rank == 0 ? "tar c --format=posix tree | " : "") + ROBBER + " replicate -q - - | tar x -C out" + rank);
        try {
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isZero();
                Trees.assertSame(tree, folder.resolve("out" + rank).resolve("tree"));
            }
            assertThat(nodes.get(0).err()).as("the report goes beside the data").contains("complete: 3 of 3 nodes");
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    @Test
    void aSlowStreamArrivesAsItComes() throws Exception {
        List<Launched> nodes = nodes(rank -> rank == 0
                ? "mkfifo go; (echo first; cat go; echo second) | " + ROBBER + " replicate -q - copy0"
                : ROBBER + " replicate -q - - | (read line; echo $line; test " + rank + " = 1 && echo > go; cat)");
        try {
            for (int rank = 1; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isZero();
                assertThat(nodes.get(rank).out()).isEqualTo("first\n\nsecond\n");
            }
            assertThat(nodes.get(0).exitCode()).as(nodes.get(0).err()).isZero();
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    /** The reader of one fifo comes once the others have had something to read. */
    @Test
    void aFifoWaitsForItsReaderAndNobodyElseDoes() throws Exception {
        Path data = data(200);
        try (Launched made = shell("mkfifo go out")) {
            assertThat(made.exitCode()).isZero();
        }
        List<Launched> nodes = nodes(rank -> switch (rank) {
            case 0 -> ROBBER + " replicate -q - copy0 < data";
            case 1 -> ROBBER + " replicate -q - - | (cat > copy1; echo > go)";
            default -> "(cat go; cat out > copy2) & " + ROBBER + " replicate -q - out; wait";
        });
        try {
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isZero();
                assertThat(folder.resolve("copy" + rank)).hasSameBinaryContentAs(data);
            }
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    @Test
    void othersGoOnWithoutANodeThatCannotWrite() throws Exception {
        Path data = data(100_000_000);
        List<Launched> nodes = nodes(rank -> rank == 1
                ? ROBBER + " replicate - - | head -c 1000 > part; exit ${PIPESTATUS[0]}"
                : ROBBER + " replicate - copy" + rank + (rank == 0 ? " < data" : ""));
        try {
            assertThat(nodes.get(0).exitCode()).as(nodes.get(0).err()).isEqualTo(23);
            assertThat(nodes.get(1).exitCode()).as(nodes.get(1).err()).isNotZero();
            assertThat(nodes.get(1).err()).contains("cannot write to standard output");
            assertThat(nodes.get(2).exitCode()).as(nodes.get(2).err()).isEqualTo(23);
            assertThat(folder.resolve("copy0")).hasSameBinaryContentAs(data);
            assertThat(folder.resolve("copy2")).hasSameBinaryContentAs(data);
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    @Test
    void aStreamThatBreaksOffLeavesNothing() throws Exception {
        Files.writeString(folder.resolve("copy1"), "last week's");
        List<Launched> nodes = nodes(rank -> ROBBER + " replicate - copy" + rank + (rank == 0 ? " < ." : ""));
        try {
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isEqualTo(3);
            }
            assertThat(nodes.get(0).err()).contains("cannot read standard input any further");
        } finally {
            nodes.forEach(Launched::close);
        }
        assertThat(folder.resolve("copy1")).hasContent("last week's");
        assertThat(names(folder)).noneMatch(name -> name.contains("robber-stream") || name.equals("copy2"));
    }

    @Test
    void aStoppedJobLeavesNothing() throws Exception {
        try (Launched run =
                shell("mkfifo in; (echo begin; sleep 60) > in & exec " + ROBBER + " replicate --local=1x3 in dest")) {
            Files.createDirectories(folder.resolve("dest"));
            while (names(folder.resolve("dest")).stream()
                            .filter(name -> name.endsWith(".robber-stream"))
                            .count()
                    < 3) {
                assertThat(run.seconds()).as(run.err()).isLessThan(60);
                Thread.onSpinWait();
            }
            assertThat(ProcessHandle.of(run.processId()).orElseThrow().destroy())
                    .isTrue();
            assertThat(run.exitCode()).isEqualTo(143);
        }
        Path dest = folder.resolve("dest");
        assertThat(Files.exists(dest) ? names(dest) : List.of()).isEmpty();
    }

    @Test
    void whatIsNoStreamIsRefused() throws Exception {
        Path tree = Trees.make(folder.resolve("tree"), 1);
        Map<String, String> refused = Map.of(
                "--local=1x2 - -", "DEST - is the standard output of each node",
                "--local=1x2 --delete - dest", "a stream has no files",
                "--local=1x2 --include=a - dest", "a stream has no files",
                "--local=1x2 -n - dest", "a stream has no files");
        for (Map.Entry<String, String> one : refused.entrySet()) {
            try (Launched run = shell(ROBBER + " replicate " + one.getKey() + " < /dev/null")) {
                assertThat(run.exitCode()).as("%s: %s", one.getKey(), run.err()).isEqualTo(2);
                assertThat(run.err()).contains(one.getValue());
            }
        }
        try (Launched run = start(0, 1, FreePort.find(), ROBBER + " replicate " + tree + " -")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("tar c");
        }
        try (Launched run = start(0, 1, FreePort.find(), ROBBER + " replicate - " + tree + " < /dev/null")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("give DEST as the name of a file");
        }
    }

    @Test
    void aNodeThatExpectsAStreamIsTold() throws Exception {
        data(1000);
        List<Launched> nodes = nodes(rank -> ROBBER + " replicate data " + (rank == 2 ? "-" : "out" + rank));
        try {
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isEqualTo(2);
            }
            assertThat(nodes.get(2).err()).contains("give all nodes the same DEST");
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    private interface Script {
        String of(int rank);
    }

    /** The nodes of a job, each by a shell script. */
    private List<Launched> nodes(Script script) throws IOException {
        int port = FreePort.find();
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < NODES; rank++) {
            Files.createDirectories(folder.resolve("out" + rank));
            nodes.add(start(rank, NODES, port, script.of(rank)));
        }
        return nodes;
    }

    private Launched start(int rank, int size, int port, String script) throws IOException {
        Map<String, String> place = Map.of(
                "ROBBER_RANK",
                Integer.toString(rank),
                "ROBBER_SIZE",
                Integer.toString(size),
                "ROBBER_CLUSTER",
                rank % 2 == 0 ? "A" : "B",
                "ROBBER_URI",
                "robber://stream@127.0.0.1:" + port);
        return Launched.command(folder, place, List.of("bash", "-c", script));
    }

    private Launched shell(String script) throws IOException {
        return Launched.command(folder, Map.of(), List.of("bash", "-c", script));
    }

    private Path data(int bytes) throws IOException {
        byte[] random = new byte[bytes];
        SeededRandom numbers = new SeededRandom(SeededRuns.firstSeed());
        for (int i = 0; i < bytes; i++) {
            random[i] = (byte) numbers.nextInt(256);
        }
        return Files.write(folder.resolve("data"), random);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
