package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.report.ReportSchema;
import org.robber.transport.rendezvous.HostName;

/** Nodes that are started one by one and find each other through their environment. */
@Execution(ExecutionMode.CONCURRENT)
class EnvironmentIT {
    private static final String MARKER = "marker of the secret 7f3a";

    @TempDir
    Path folder;

    private Path source;
    private String uri;

    @BeforeEach
    void makeSourceAndAddress() throws IOException {
        source = Trees.make(folder.resolve("tree"), 5);
        uri = "robber://test@127.0.0.1:" + FreePort.find();
    }

    /** The secret is in its file alone: neither arguments, nor variables, nor output show it. */
    @Test
    @Tag("smoke")
    void nodesOfTwoClustersMeet() throws Exception {
        Path secret = secret("secret", MARKER + "\n");
        List<Launched> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < 4; rank++) {
                Map<String, String> variables = Map.of(
                        "ROBBER_CLUSTER",
                        rank < 2 ? "left" : "right",
                        "ROBBER_SECRET_FILE",
                        secret.toString(),
                        "ROBBER_VERBOSE",
                        "true",
                        "ROBBER_REPORT",
                        folder.resolve("report").toString());
                nodes.add(node(rank, 4, variables, "dest-{rank}"));
            }
            nodes.get(0).awaitSaid("scan has ended", TimeUnit.SECONDS.toNanos(60));
            for (Launched node : nodes) {
                assertThat(ofProcess(node, "cmdline") + ofProcess(node, "environ"))
                        .doesNotContain(MARKER);
            }
            for (Launched node : nodes) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
            assertThat(nodes.get(0).out()).contains("left-0", "right-1", "complete: 4 of 4 nodes");
            assertThat(nodes.get(3).out()).isEmpty();
        } finally {
            nodes.forEach(Launched::close);
        }
        for (int rank = 0; rank < 4; rank++) {
            Trees.assertSame(source, folder.resolve("dest-" + rank).resolve("tree"));
        }
        assertThat(folder.resolve("report")).isRegularFile();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> !file.equals(secret)))
                    .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain(MARKER));
        }
    }

    /** A file of {@code /proc} that other processes can read; empty when the process has ended. */
    private static String ofProcess(Launched node, String what) {
        try {
            return Files.readString(Path.of("/proc/" + node.processId() + "/" + what), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Its input ends before it has its order. */
    @Test
    void aLocalNodeWithoutTheProcessThatStartedItEnds() throws Exception {
        try (Launched node = Launched.start(folder, Map.of(), LocalRun.COMMAND)) {
            assertThat(node.exitCode()).isEqualTo(Reason.INTERRUPTED.exitCode());
            assertThat(node.err()).isEqualTo("robber-cli: error: the process that started this node has ended\n");
            assertThat(node.out()).isEmpty();
        }
    }

    /** Two nodes join too early, and wait. One of them is killed in the middle, and the job goes on. */
    @Test
    @Tag("smoke")
    void nodesJoinAndAreServedByTheirOwnCluster() throws Exception {
        Path secret = secret("secret", MARKER + "\n");
        Map<String, String> right =
                Map.of("ROBBER_CLUSTER", "right", "ROBBER_SECRET_FILE", secret.toString(), "ROBBER_VERBOSE", "true");
        Map<String, String> left = new TreeMap<>(right);
        left.put("ROBBER_CLUSTER", "left");
        left.put("ROBBER_OUTPUT", "json");
        Path joinReport = folder.resolve("join.json");
        try (Launched root = node(0, 2, left, "dest-{rank}");
                Launched first = join(right, "dest-{node}-{host}", "--report=" + joinReport, "--progress=json");
                Launched second = join(right, "doomed")) {
            root.awaitSaid("waits to join", 2, TimeUnit.SECONDS.toNanos(60));
            Launched.signal("STOP", second.processId());
            try (Launched node = node(1, 2, right, "dest-{rank}")) {
                // all others have everything, and wait for the one that is stopped
                root.awaitSaid("nodes that joined are waited for", TimeUnit.SECONDS.toNanos(60));
                Launched.signal("KILL", second.processId());
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
            assertThat(first.exitCode()).as(first.err()).isZero();
            assertThat(first.out()).contains("complete: node right-", " 0 B from other clusters");
            assertThat(first.err()).contains("\"type\":\"started\"", "\"type\":\"progress\"", "\"nodes_done\":1");
            for (String line :
                    first.err().lines().filter(said -> said.startsWith("{")).toList()) {
                assertThat(ReportSchema.problems(line, "events.schema.json"))
                        .as(line)
                        .isEmpty();
            }
            assertThat(ReportSchema.problems(Files.readString(joinReport), "join.schema.json"))
                    .isEmpty();
            assertThat(root.exitCode()).as(root.err()).isZero();
            String report = root.out();
            assertThat(report).contains("\"status\" : \"complete\"", "\"joined\" : true");
            assertThat(report).containsOnlyOnce("\"status\" : \"failed\"");
        }
        Trees.assertSame(source, folder.resolve("dest-1").resolve("tree"));
        try (Stream<Path> copies = Files.list(folder)) {
            Path joined = copies.filter(copy -> copy.getFileName()
                            .toString()
                            .matches("dest-right-\\d+-" + Pattern.quote(HostName.ofThisMachine())))
                    .findFirst()
                    .orElseThrow();
            Trees.assertSame(source, joined.resolve("tree"));
        }
        assertThat(folder.resolve("doomed").resolve("tree")).doesNotExist();
    }

    private Launched join(Map<String, String> environment, String dest, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("join", uri, folder + "/" + dest));
        arguments.addAll(List.of(options));
        return Launched.start(folder, environment, arguments.toArray(String[]::new));
    }

    @Test
    void aNodeThatJoinsEndsAtItsDeadlineAndTheJobGoesOn() throws Exception {
        try (Launched root = node(0, 2, Map.of(), "dest-{rank}");
                Launched late = join(Map.of(), "late", "--deadline=2s")) {
            assertThat(late.exitCode()).as(late.err()).isEqualTo(30);
            assertThat(late.err()).contains("robber-cli: error: ", "'join' did not end in 2.0 s");
            try (Launched node = node(1, 2, Map.of(), "dest-{rank}")) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
            assertThat(root.exitCode()).as(root.err()).isZero();
        }
        assertThat(folder.resolve("late")).doesNotExist();
    }

    @Test
    void aMissingRankIsNamed() throws Exception {
        try (Launched node = node(0, 2, Map.of("ROBBER_CONNECT_TIMEOUT", "2s"), "dest-{rank}")) {
            assertThat(node.exitCode()).as(node.err()).isEqualTo(4);
            assertThat(node.err()).contains("robber-cli: error: ", "rank 1");
        }
        assertThat(folder.resolve("dest-0")).doesNotExist();
    }

    @Test
    void verifyEndsAtItsDeadlineWhenARankIsMissing() throws Exception {
        List<Launched> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                Map<String, String> variables =
                        Map.of("ROBBER_RANK", Integer.toString(rank), "ROBBER_SIZE", "3", "ROBBER_URI", uri);
                nodes.add(Launched.start(
                        folder, variables, "verify", "--connect-timeout=10m", "--deadline=4s", folder + "/dest"));
            }
            for (Launched node : nodes) {
                assertThat(node.exitCode()).as(node.err()).isEqualTo(Reason.TOO_FEW_NODES.exitCode());
                assertThat(node.err()).contains("robber-cli: error: 1 of 3 nodes did not come", "rank 2");
            }
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    @Test
    @Tag("smoke")
    void aWrongSecretIsRefused() throws Exception {
        Path right = secret("right", "open sesame\n");
        Path wrong = secret("wrong", "open barley\n");
        try (Launched root = node(0, 2, Map.of("ROBBER_SECRET_FILE", right.toString()), "dest-{rank}");
                Launched node = node(1, 2, Map.of("ROBBER_SECRET_FILE", wrong.toString()), "dest-{rank}")) {
            assertThat(node.exitCode()).as(node.err()).isEqualTo(8);
            assertThat(node.err()).contains("robber-cli: error: ", "secret");
            // it would wait on for a node that knows the secret
            Launched.signal("TERM", root.processId());
            assertThat(root.exitCode()).as(root.err()).isEqualTo(143);
        }
        assertThat(folder.resolve("dest-0")).doesNotExist();
        assertThat(folder.resolve("dest-1")).doesNotExist();
    }

    @Test
    void certificatesOfAnotherAuthorityAndExpiredOnesAreRefused() throws Exception {
        assumeThat(Certificates.arePossible()).as("openssl is here").isTrue();
        Certificates ours = new Certificates(folder.resolve("ours"));
        Certificates others = new Certificates(folder.resolve("others"));
        try (Launched root = node(0, 4, ours.node("root", 1, ours), "dest-{rank}");
                Launched stranger = node(1, 4, others.node("stranger", 1, ours), "dest-{rank}");
                Launched expired = node(2, 4, ours.node("expired", -1, ours), "dest-{rank}");
                Launched distrustful = node(3, 4, ours.node("distrustful", 1, others), "dest-{rank}")) {
            for (Launched node : List.of(stranger, expired, distrustful)) {
                assertThat(node.exitCode()).as(node.err()).isEqualTo(8);
                assertThat(node.err()).contains("robber-cli: error: ", "TLS handshake");
            }
            assertThat(root.out()).isEmpty();
        }
        for (int rank = 0; rank < 4; rank++) {
            assertThat(folder.resolve("dest-" + rank)).doesNotExist();
        }
    }

    @Test
    void theSecondNodeOfARankIsRefusedAndTheJobGoesOn() throws Exception {
        Map<String, String> quiet = Map.of("ROBBER_QUIET", "true");
        List<Launched> nodes = new ArrayList<>();
        try {
            nodes.add(node(0, 3, quiet, "dest-{rank}"));
            Launched one = node(1, 3, quiet, "dest-{rank}");
            nodes.add(one);
            Launched other = node(1, 3, quiet, "dest-{rank}");
            nodes.add(other);
            // As long as rank 2 has not come, none but the one that is refused has a reason to end.
            Launched refused = firstToEnd(one, other);
            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err()).contains("robber-cli: error: ", "two nodes of one rank", "rank 1");
            nodes.add(node(2, 3, quiet, "dest-{rank}"));
            for (Launched node : nodes) {
                assertThat(node.exitCode()).as(node.err()).isEqualTo(node == refused ? 2 : 0);
            }
        } finally {
            nodes.forEach(Launched::close);
        }
        for (int rank = 0; rank < 3; rank++) {
            Trees.assertSame(source, folder.resolve("dest-" + rank).resolve("tree"));
        }
    }

    @Test
    void theNodeOfAnotherJobIsRefusedAndTheJobGoesOn() throws Exception {
        Map<String, String> elsewhere = Map.of("ROBBER_URI", uri.replace("//test@", "//other@"));
        try (Launched root = node(0, 2, Map.of(), "dest-{rank}");
                Launched stranger = node(1, 2, elsewhere, "stranger")) {
            assertThat(stranger.exitCode()).as(stranger.err()).isEqualTo(2);
            assertThat(stranger.err()).contains("robber-cli: error: ", "the job 'other'", "the job 'test'");
            try (Launched node = node(1, 2, Map.of(), "dest-{rank}")) {
                assertThat(node.exitCode()).as(node.err()).isZero();
                assertThat(root.exitCode()).as(root.err()).isZero();
                assertThat(root.err()).contains("robber-cli: warn: refused the connection", "the job 'other'");
            }
        }
        assertThat(folder.resolve("stranger")).doesNotExist();
        Trees.assertSame(source, folder.resolve("dest-1").resolve("tree"));
    }

    @Test
    void twoNodesMayNotWriteToOnePlace() throws Exception {
        try (Launched root = node(0, 2, Map.of(), "dest");
                Launched node = node(1, 2, Map.of(), "dest")) {
            assertThat(root.exitCode()).as(root.err()).isEqualTo(2);
            assertThat(node.exitCode()).as(node.err()).isEqualTo(2);
            assertThat(root.err()).contains("would both write to", "{node}");
        }
        assertThat(folder.resolve("dest")).doesNotExist();
    }

    @Test
    void withoutAnyNodesThereIsAHint() throws Exception {
        try (Launched run = Launched.start(folder, Map.of(), "replicate", source.toString(), folder + "/dest")) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("--local", "ROBBER_RANK");
        }
    }

    @Test
    void aLocalJobLeavesAloneWhatVariablesSayOfOtherJobs() throws Exception {
        Map<String, String> ofOthers =
                Map.of("ROBBER_SECRET_FILE", "/no/such/secret", "ROBBER_TLS_CA", "/no/such/authority");
        try (Launched run =
                Launched.start(folder, ofOthers, "replicate", "--local=1x2", source.toString(), folder + "/dest")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("dest/A-1/tree"));
    }

    @Test
    @Tag("smoke")
    void mpirunStartsNodes() throws Exception {
        assumeThat(isInstalled("mpirun")).as("Open MPI is installed").isTrue();
        List<String> command = List.of(
                "mpirun",
                "--allow-run-as-root",
                "--oversubscribe",
                "-np",
                "4",
                Launched.script().toString(),
                "replicate",
                source.toString(),
                folder + "/dest-{rank}");
        try (Launched run = Launched.command(folder, Map.of(), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 4 of 4 nodes");
        }
        for (int rank = 0; rank < 4; rank++) {
            Trees.assertSame(source, folder.resolve("dest-" + rank).resolve("tree"));
        }
    }

    @Test
    void filtersHoldAndASecondRunSendsWhatHasChangedUnderMpirun() throws Exception {
        assumeThat(isInstalled("mpirun")).as("Open MPI is installed").isTrue();
        Path left = Files.writeString(source.resolve("left.tmp"), "x");
        List<String> command = List.of(
                "mpirun",
                "--allow-run-as-root",
                "--oversubscribe",
                "-np",
                "2",
                Launched.script().toString(),
                "replicate",
                "--exclude=*.tmp",
                "-o",
                "json",
                source.toString(),
                folder + "/again-{rank}/");
        for (int rank = 0; rank < 2; rank++) {
            Files.createDirectory(folder.resolve("again-" + rank));
        }
        for (String added : List.of("first", "second")) {
            Files.writeString(source.resolve(added), added);
            try (Launched run = Launched.command(folder, Map.of(), command)) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.out()).contains("\"status\" : \"complete\"");
                if (added.equals("second")) {
                    assertThat(run.out()).contains("\"bytes_received_local\" : " + added.length());
                }
            }
            for (int rank = 0; rank < 2; rank++) {
                Path copy = folder.resolve("again-" + rank).resolve("tree");
                assertThat(copy.resolve("left.tmp")).doesNotExist();
                assertThat(copy.resolve(added)).hasContent(added);
            }
        }
        FileTime time = Files.getLastModifiedTime(source);
        Files.delete(left);
        Files.setLastModifiedTime(source, time);
        Trees.assertSame(source, folder.resolve("again-1/tree"));
    }

    /** The others see no source: each node runs in a folder of its own. */
    @Test
    void anyRankCanHaveTheSourceUnderMpirun() throws Exception {
        assumeThat(isInstalled("mpirun")).as("Open MPI is installed").isTrue();
        for (int rank = 0; rank < 3; rank++) {
            Files.createDirectory(folder.resolve("at-" + rank));
            Files.createDirectory(folder.resolve("other-" + rank));
        }
        Files.move(source, folder.resolve("at-2/tree"));
        try (Launched run = mpirun(3, "--root=2", "tree", folder + "/other-{rank}/")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 3 of 3 nodes");
        }
        for (int rank = 0; rank < 3; rank++) {
            Trees.assertSame(folder.resolve("at-2/tree"), folder.resolve("other-" + rank + "/tree"));
        }
        try (Launched run = mpirun(3, "--root=1", "tree", folder + "/other-{rank}/")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
            assertThat(run.err()).contains("rank 1", "tree");
        }
        try (Launched run = mpirun(3, "--root=3", "tree", folder + "/other-{rank}/")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("--root=3: there is no node 3, ranks are 0 to 2");
        }
    }

    /** Each node runs in a folder of its own, and two of them have a part there. */
    @Test
    void severalRanksCanHavePartsUnderMpirun() throws Exception {
        assumeThat(isInstalled("mpirun")).as("Open MPI is installed").isTrue();
        for (int rank = 0; rank < 3; rank++) {
            Files.createDirectory(folder.resolve("at-" + rank));
            Files.createDirectory(folder.resolve("other-" + rank));
        }
        Files.move(source, folder.resolve("at-1/tree"));
        Trees.make(folder.resolve("at-2/more"), 12);
        try (Launched run = mpirun(3, "--root=1,2", "./", folder + "/other-{rank}")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 3 of 3 nodes");
        }
        for (int rank = 0; rank < 3; rank++) {
            Trees.assertSame(folder.resolve("at-1/tree"), folder.resolve("other-" + rank + "/tree"));
            Trees.assertSame(folder.resolve("at-2/more"), folder.resolve("other-" + rank + "/more"));
        }
    }

    private Launched mpirun(int nodes, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "mpirun",
                "--allow-run-as-root",
                "--oversubscribe",
                "-np",
                Integer.toString(nodes),
                "sh",
                "-c",
                "cd at-$OMPI_COMM_WORLD_RANK && exec \"$@\"",
                "sh",
                Launched.script().toString(),
                "replicate"));
        command.addAll(List.of(arguments));
        return Launched.command(folder, Map.of(), command);
    }

    /** What all have, nobody sends: a node that joins must have it, too. */
    @Test
    void aNodeJoinsAJobThatSendsOnlyWhatHasChanged() throws Exception {
        for (int rank = 0; rank < 3; rank++) {
            Files.createDirectory(folder.resolve("copy-" + rank));
        }
        List<Launched> first = new ArrayList<>();
        try {
            for (int rank = 0; rank < 3; rank++) {
                first.add(node(rank, 3, Map.of(), "copy-{rank}/"));
            }
            for (Launched node : first) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
        } finally {
            first.forEach(Launched::close);
        }
        Files.writeString(source.resolve("added"), "added");
        Path report = folder.resolve("report.json");
        try (Launched root = node(0, 2, Map.of("ROBBER_VERBOSE", "true"), "copy-{rank}/");
                Launched same = join(Map.of(), "copy-2/", "--data-address=127.0.0.1");
                Launched empty = join(Map.of(), "empty/", "--report=" + report)) {
            root.awaitSaid("waits to join", 2, TimeUnit.SECONDS.toNanos(60));
            try (Launched node = node(1, 2, Map.of(), "copy-{rank}/")) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
            assertThat(same.exitCode()).as(same.err()).isZero();
            assertThat(empty.exitCode()).as(empty.err()).isEqualTo(2);
            assertThat(empty.err()).contains(" files that the job does not send", "start the job with --checksum");
            assertThat(root.exitCode()).as(root.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("copy-2/tree"));
        assertThat(folder.resolve("empty/tree")).doesNotExist();
        assertThat(ReportSchema.problems(Files.readString(report), "join.schema.json"))
                .isEmpty();
        assertThat(report).content().contains("\"status\" : \"failed\"", "\"exit_code\" : 2");
    }

    /** It tells neither the id of the job nor where rank 0 is. */
    @Test
    void hydraStartsNodes() throws Exception {
        assumeThat(isInstalled("mpiexec.hydra")).as("MPICH is installed").isTrue();
        List<String> command = List.of(
                "mpiexec.hydra",
                "-n",
                "3",
                Launched.script().toString(),
                "replicate",
                source.toString(),
                folder + "/dest-{rank}");
        try (Launched run = Launched.command(folder, Map.of(), command)) {
            // hydra makes a code of its own of those of its processes
            assertThat(run.exitCode()).isNotZero();
            assertThat(run.err()).contains("doesn't tell where rank 0 runs: set ROBBER_URI=robber://JOB@HOST:PORT");
        }
        try (Launched run = Launched.command(folder, Map.of("ROBBER_URI", uri), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 3 of 3 nodes");
        }
        for (int rank = 0; rank < 3; rank++) {
            Trees.assertSame(source, folder.resolve("dest-" + rank).resolve("tree"));
        }
    }

    private static Launched firstToEnd(Launched one, Launched other) {
        CompletableFuture.anyOf(one.ended(), other.ended()).join();
        return one.running() ? other : one;
    }

    private Launched node(int rank, int size, Map<String, String> more, String dest) throws IOException {
        Map<String, String> environment = new TreeMap<>(Map.of(
                "ROBBER_RANK", Integer.toString(rank), "ROBBER_SIZE", Integer.toString(size), "ROBBER_URI", uri));
        environment.putAll(more);
        return Launched.start(folder, environment, "replicate", source.toString(), folder + "/" + dest);
    }

    private Path secret(String name, String text) throws IOException {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private static boolean isInstalled(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }
}
