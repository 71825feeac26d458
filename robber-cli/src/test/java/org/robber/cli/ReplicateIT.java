package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.report.ReportSchema;
import org.robber.core.random.SeededRuns;
import org.robber.transport.rendezvous.HostName;

/** {@code replicate --local} from end to end: what arrives, and what is said of it. */
@Execution(ExecutionMode.CONCURRENT)
class ReplicateIT {

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    @Tag("smoke")
    void everyNodeGetsTheTree() throws Exception {
        long seed = SeededRuns.firstSeed();
        Path source = Trees.make(folder.resolve("tree"), seed);
        Path report = folder.resolve("report.json");
        try (Launched run = start("--local=2x4", "--report=" + report, source.toString(), dest())) {
            assertThat(run.exitCode()).as("seed %s: %s", seed, run.err()).isZero();
            assertThat(run.out()).contains("RANK", "A-0", "B-3", "cluster B: 4 nodes", "complete: 8 of 8 nodes have ");
            assertThat(run.err()).contains("100%", "7/7 nodes done");
            assertThat(run.out() + run.err()).as("for a terminal only").doesNotContain("\u001b", "\r");
            assertThat(run.err().lines()).as("a line in 3 s").hasSizeBetween(1, 2 + run.seconds() / 3);
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
    void theNameOfTheHostIsAPartOfDestination() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 2);
        try (Launched run = start("--local=1x2", source.toString(), dest() + "-{host}")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("dest-" + HostName.ofThisMachine() + "/A-1/tree"));
        assertThat(folder.resolve("dest-{host}")).doesNotExist();
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
        run("mkfifo", source.resolve("pipe").toString());
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(source.resolve("socket")));
        }
        boolean withDevice = run("mknod", source.resolve("device").toString(), "c", "1", "3") == 0;
        try (Launched run = start("--local=1x2", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.out()).contains("pipe (a fifo)", "socket (a socket)");
            if (withDevice) {
                assertThat(run.out()).contains("device (a device)");
            }
            assertThat(run.out().lines().filter(line -> line.startsWith("skipped: ")))
                    .hasSize(withDevice ? 3 : 2);
            assertThat(run.err()).contains("robber-cli: error: all nodes are complete but for ");
        }
        assertThat(Trees.names(folder.resolve("dest/A-1"))).containsExactly("tree", "tree/file");
    }

    @Test
    void namesAreAnyBytes() throws Exception {
        String make = "mkdir -p \"$1/tree\"; cd \"$1/tree\"; mkdir \"$(printf 'f\\377lder')\"; printf one >\"$(printf"
                + " 'f\\377lder/n\\001w\\n"
                + "line')\"; ln -s \"$(printf 't\\376rget')\" link; >-n; >' '";
        assertThat(run("sh", "-c", make, "sh", folder.toString())).isZero();
        try (Launched run = start("--local=2x1", folder.resolve("tree").toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        for (String node : List.of("A-0", "B-0")) {
            String copy = folder.resolve("dest").resolve(node).resolve("tree").toString();
            assertThat(run(
                            "diff",
                            "-r",
                            "--no-dereference",
                            folder.resolve("tree").toString(),
                            copy))
                    .as("differences of %s", copy)
                    .isZero();
        }
    }

    @Test
    void whatIsThereStaysAndNoPathEscapes() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 9);
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path place = Files.createDirectories(folder.resolve("dest/A-1/tree"));
        Files.writeString(place.resolve("mine"), "stays");
        Files.writeString(place.resolve("a"), "is replaced");
        // Where the source has folders and files, another user has put links that lead out.
        Files.createSymbolicLink(place.resolve("sub"), outside);
        Files.createSymbolicLink(place.resolve("large"), outside.resolve("large"));
        try (Launched run = start("--local=1x2", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(place.resolve("mine")).hasContent("stays");
        Files.delete(place.resolve("mine"));
        Files.setLastModifiedTime(place, Files.getLastModifiedTime(source));
        Trees.assertSame(source, place);
    }

    /** The beginning of a command of a user who may not read and write everything. */
    private List<String> ordinary() throws Exception {
        List<String> ordinary = new ArrayList<>();
        if (Files.getOwner(folder).getName().equals("root")) {
            ordinary.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
            assumeThat(run("setpriv", ordinary.get(1), "true"))
                    .as("setpriv can take away the rights of root")
                    .isZero();
        }
        ordinary.add(Launched.script().toString());
        ordinary.addAll(List.of("replicate", "--local=1x2"));
        return ordinary;
    }

    @Test
    void aFolderThatItsOwnerMayNotReadIsCopiedEachTime() throws Exception {
        Path source = Files.createDirectory(folder.resolve("tree"));
        Path file = Files.writeString(source.resolve("file"), "x");
        Path closed = Files.createDirectory(source.resolve("closed"));
        Files.setPosixFilePermissions(closed, Set.of());
        List<String> ordinary = ordinary();
        for (String content : List.of("first", "second run")) {
            Files.writeString(file, content);
            try (Launched run = command(ordinary, source.toString(), dest())) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
                assertThat(run.out()).contains("skipped: ", "closed (its contents: permission denied)", "2 of 2 nodes");
            }
            Path copy = folder.resolve("dest/A-1/tree");
            assertThat(copy.resolve("file")).hasContent(content);
            assertThat(Files.getPosixFilePermissions(copy.resolve("closed"))).isEmpty();
        }
    }

    /** The record would pass for that of the new files, and a repair would bring the old ones back. */
    @Test
    void nothingIsReplacedWhoseRecordCannotBeSetAside() throws Exception {
        List<String> ordinary = ordinary();
        Path source = Files.createDirectory(folder.resolve("tree"));
        Path file = Files.writeString(source.resolve("file"), "first");
        try (Launched run = command(ordinary, source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Files.writeString(file, "second run");
        chmodState("r-x------");
        try (Launched run = command(ordinary, source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err()).contains("cannot be set aside: permission denied", "--state-dir");
        }
        assertThat(folder.resolve("dest/A-1/tree/file")).hasContent("first");
        chmodState("rwx------");
        try (Launched run = command(ordinary, source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("dest/A-1/tree/file")).hasContent("second run");
    }

    private void chmodState(String rights) throws IOException {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder.resolve("state/robber/copies"))) {
            for (Path copy : copies) {
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(rights));
            }
        }
    }

    @Test
    void whatMayNotBeReadOrWrittenIsNamed() throws Exception {
        List<String> ordinary = ordinary();
        Path closed = Files.writeString(folder.resolve("closed"), "x");
        Files.setPosixFilePermissions(closed, Set.of());
        try (Launched run = command(ordinary, "-n", closed.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
            assertThat(run.err()).contains("robber-cli: error: ", closed.toString(), "permission denied");
        }
        Path source = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(source.resolve("file"), "x");
        Files.move(closed, source.resolve("closed"));
        try (Launched run = command(ordinary, source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.out()).contains("skipped: ", "closed (permission denied)");
        }
        assertThat(Trees.names(folder.resolve("dest/A-1"))).containsExactly("tree", "tree/file");

        Path readOnly = Files.createDirectories(folder.resolve("other/A-1"));
        Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
        try (Launched run =
                command(ordinary, source.toString(), folder.resolve("other").toString())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err())
                    .contains("robber-cli: error: ", "A-1 (rank 1", "permission denied; give this user the right");
        }
        assertThat(Trees.names(folder.resolve("other"))).containsExactly("A-1");
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
    @Tag("smoke")
    void badDestinationsAreNamedAndTheOthersGoOn() throws Exception {
        Path source = Files.writeString(folder.resolve("source"), "x");
        Path dest = Files.createDirectory(folder.resolve("dest"));
        // what not even root can write to
        Files.writeString(dest.resolve("A-1"), "in the way");
        try (Launched run = start("--local=1x3", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("robber-cli: error: ", "A-1", "rank 1");
            assertThat(run.out()).contains("failed A-1 (destination, during 'prepare'", "partial: 2 of 3 nodes");
        }
        assertThat(Trees.names(dest)).containsExactly("A-0", "A-0/source", "A-1", "A-2", "A-2/source");
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
    void undeliverableReportsAreNoSuccess() throws Exception {
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

    private Launched command(List<String> beginning, String... rest) throws IOException {
        List<String> command = new ArrayList<>(beginning);
        command.addAll(List.of(rest));
        return Launched.command(folder, Map.of(), command);
    }

    /** Runs a program that says nothing of interest, and returns its exit code. */
    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }

    private Launched start(String... arguments) throws IOException {
        String[] all = new String[arguments.length + 1];
        all[0] = "replicate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Launched.start(folder, Map.of(), all);
    }
}
