package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.report.ReportSchema;

/** {@code replicate -w} with a real sshd, whose hosts are all this machine. */
@Execution(ExecutionMode.CONCURRENT)
class SshStartIT {
    private static final String MARKER = "marker of the secret 41c9";
    private static final String CARRIES = "carries the program over";
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A variable that all processes of a test have, on either side of ssh. */
    private final String mark = UUID.randomUUID().toString();

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;
    private Path home;
    private SshServer server;

    @BeforeEach
    void makeServer() throws Exception {
        assumeThat(SshServer.isPossible()).as("sshd is installed").isTrue();
        source = Trees.make(folder.resolve("tree"), 11);
        home = Files.createDirectory(folder.resolve("home"));
        Files.createDirectory(folder.resolve("dest"));
        server = new SshServer(folder.resolve("ssh"))
                .hosts(variables(home, "/usr/bin:/bin"), "node01", "node02", "gpu1", "gpu2");
    }

    @AfterEach
    void stopServer() {
        if (server != null) {
            server.close();
        }
        Launched.withVariable("SSH_START_IT", mark).forEach(ProcessHandle::destroyForcibly);
    }

    private String variables(Path homeThere, String path) {
        return "HOME=" + homeThere + " PATH=" + path + " SSH_START_IT=" + mark + " JAVA_HOME=";
    }

    /** The secret is in its file, and in no argument or variable of any process. The second run finds the program there. */
    @Test
    @Tag("smoke")
    void everyHostGetsACopyAndKeepsTheProgram() throws Exception {
        server.start();
        Path secret = Files.writeString(folder.resolve("secret"), MARKER);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Path report = folder.resolve("report.json");
        // All nodes take part once the transfer begins, and the limit keeps them alive while they are looked at.
        List<String> options = List.of("-v", "--secret-file=" + secret, "--report=" + report, "--bwlimit=2M");
        try (Launched run = replicate("A:node[01-02],B:gpu[1-2]", options)) {
            run.awaitSaid("this machine: robber-cli: debug: prepare has ended, transfer begins", LIMIT_NANOS);
            assertThat(Launched.withVariable("SSH_START_IT", mark))
                    .as(run.err())
                    .hasSizeGreaterThanOrEqualTo(9);
            String unpacked = program() + "/lib/native/libnetty";
            assertThat(Launched.withVariable("SSH_START_IT", mark).stream().map(SshStartIT::mappedFiles))
                    .as("native libraries that no node has to unpack")
                    .anyMatch(files -> files.contains(unpacked));
            for (String word : List.of(MARKER, HexFormat.of().formatHex(MARKER.getBytes(StandardCharsets.UTF_8)))) {
                assertThat(argumentsAndVariables()).doesNotContain(word);
            }
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("A-1", "B-1", "cluster B: 2 nodes", "complete: 5 of 5 nodes");
            assertThat(run.err()).contains("node01: " + CARRIES, "gpu2: robber-cli: debug: ");
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertCopies("node01", "node02", "gpu1", "gpu2");
        Path program = program();
        assertThat(program.resolve("robber-cli.jar")).isRegularFile();

        try (Launched run = replicate("gpu1,node01", List.of("-v"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).doesNotContain(CARRIES);
            assertThat(run.out()).contains("complete: 3 of 3 nodes");
        }
        assertThat(program()).isEqualTo(program);
    }

    @Test
    void standardInputGoesToAllHosts() throws Exception {
        server.start();
        byte[] data = Files.readAllBytes(source.resolve("large"));
        String command = "cat '" + source.resolve("large") + "' | '" + Launched.script()
                + "' replicate -w node[01-02] '" + server.option() + "' - '" + folder.resolve("dest") + "/{host}'";
        try (Launched run = Launched.command(folder, Map.of("SSH_START_IT", mark), List.of("bash", "-c", command))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 3 of 3 nodes");
        }
        assertThat(folder.resolve("dest/node01")).hasBinaryContent(data);
        assertThat(folder.resolve("dest/node02")).hasBinaryContent(data);
    }

    @Test
    void patternsHoldOnAllHosts() throws Exception {
        server.start();
        Files.writeString(source.resolve("left-out.tmp"), "x");
        Path list = Files.writeString(folder.resolve("patterns"), "- *.tmp\n- /tree/sub/\n");
        try (Launched run = replicate("node[01-02]", List.of("--include=kept.tmp", "--exclude-from=" + list))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        for (String host : List.of("node01", "node02")) {
            assertThat(Trees.names(folder.resolve("dest").resolve(host)))
                    .contains("tree/large", "tree/a")
                    .noneMatch(name -> name.endsWith(".tmp") || name.contains("sub"));
            Files.writeString(folder.resolve("dest").resolve(host).resolve("tree/extra"), "x");
            Files.writeString(folder.resolve("dest").resolve(host).resolve("tree/extra.tmp"), "x");
        }
        try (Launched run = replicate("node[01-02]", List.of("--exclude-from=" + list, "--delete"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("dest/node02/tree/extra")).doesNotExist();
        assertThat(folder.resolve("dest/node02/tree/extra.tmp"))
                .as("what is left out stays")
                .exists();
        try (Launched run = replicate("node01", List.of("--exclude=*"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
            assertThat(run.err()).contains("filters");
        }
    }

    /** Rank 0 is there, and no process of this machine reads the source. */
    @Test
    void theSourceIsOnAnotherHost() throws Exception {
        server.start();
        List<String> options = List.of("replicate", "-v", "-w", "A:node[01-02],B:gpu1", server.option());
        String dest = folder.resolve("dest") + "/{host}";
        try (Launched run = remote(options, "gpu2:" + source, dest)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 4 of 4 nodes");
            assertThat(run.err()).contains("gpu2: robber-cli: debug: scan has ended");
        }
        assertCopies("node01", "node02", "gpu1");
        try (Launched run = remote(options, "gpu2:" + source + "/missing", dest)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
            assertThat(run.err()).contains("missing: no such file");
        }
        try (Launched run = remote(options, "unknown.invalid:" + source, dest)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("a node that has SRC could not be started: unknown.invalid: ");
        }
        try (Launched run = remote(options, "--report=r", "gpu2:" + source, dest)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        }
        try (Launched run = remote(options, "gpu2:" + source, "node01:" + source, dest)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("all SRC have to be on one host");
        }
        assertNothingRuns();
    }

    /** Nodes are started on the hosts with parts first, and these get copies like all others. */
    @Test
    void partsOfTheSourceAreOnSeveralHosts() throws Exception {
        server.start();
        Files.move(source, Files.createDirectory(folder.resolve("of-node02")).resolve("tree"));
        Trees.make(folder.resolve("of-gpu1/more"), 12);
        List<String> options =
                List.of("replicate", "-v", "-w", "A:node[01-02],B:gpu[1-2]", "--root=2,3", server.option());
        String dest = folder.resolve("dest") + "/{host}";
        try (Launched run = remote(options, folder + "/of-{host}/", dest)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("cluster A: 2 nodes", "cluster B: 2 nodes", "complete: 4 of 4 nodes");
        }
        for (String host : List.of("node01", "node02", "gpu1", "gpu2")) {
            Trees.assertSame(
                    folder.resolve("of-node02/tree"),
                    folder.resolve("dest").resolve(host).resolve("tree"));
            Trees.assertSame(
                    folder.resolve("of-gpu1/more"),
                    folder.resolve("dest").resolve(host).resolve("more"));
        }
        List<String> unknown = List.of("replicate", "-w", "node01,unknown.invalid,gpu1", "--root=1,2", server.option());
        try (Launched run = remote(unknown, folder + "/of-{host}/", dest)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("a node that has SRC could not be started: unknown.invalid: ");
        }
        assertNothingRuns();
    }

    private Launched remote(List<String> options, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(more));
        return Launched.start(folder, Map.of("SSH_START_IT", mark), arguments.toArray(String[]::new));
    }

    @Test
    void plansAndProbesStartNodesToo() throws Exception {
        server.start();
        String place = folder.resolve("dest") + "/{host}";
        try (Launched plan =
                run("plan", "-w", "A:node01,B:gpu1", "-o", "json", server.option(), source.toString(), place)) {
            assertThat(plan.exitCode()).as(plan.err()).isZero();
            assertThat(ReportSchema.problems(plan.out(), "plan.schema.json")).isEmpty();
            // Rank 0 is on this machine, and names no cluster.
            assertThat(plan.out()).contains("2 nodes named theirs; 1 subnet", "\"nodes\" : 1", "/dest/gpu1");
        }
        assertThat(folder.resolve("dest")).isEmptyDirectory();

        Path network = folder.resolve("network.json");
        try (Launched probe =
                run("probe", "-w", "A:node01,B:gpu1", "--for=100ms", "--save=" + network, server.option())) {
            assertThat(probe.exitCode()).as(probe.err()).isZero();
            assertThat(probe.out()).contains("link A to B: ", "link B to A: ");
        }
        assertThat(network).content().contains("\"A-B\":{\"mbps\":");
        try (Launched probe = run("probe", "-w", "A:node01,no-such-host.invalid", server.option())) {
            assertThat(probe.exitCode()).as(probe.err()).isEqualTo(4);
            assertThat(probe.err()).contains("no-such-host.invalid");
        }
    }

    /** Every host reads its copy, and rank 0 on this machine has none. */
    @Test
    void copiesAreVerifiedWhereTheyAre() throws Exception {
        server.start();
        String place = folder.resolve("dest") + "/{host}";
        try (Launched run = replicate("A:node[01-02],B:gpu1", List.of())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        String[] verify = {"verify", "-w", "A:node[01-02],B:gpu1", "--progress=json", server.option(), place};
        try (Launched run = run(verify)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out().lines()).hasSize(3).allMatch(line -> line.endsWith(": right"));
            assertThat(run.err()).contains("\"nodes_done\":3,\"nodes\":3").containsOnlyOnce("\"started\"");
        }
        Files.writeString(folder.resolve("dest/node02/tree/a"), "changed");
        try (Launched run = run(verify)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(7);
            assertThat(run.out()).contains("A-1 on ", "tree/a: ");
            assertThat(run.err()).contains("robber-cli: error: some copies are not right");
        }
        try (Launched run = run("verify", "-w", "node01,no-such-host.invalid", server.option(), place)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("no-such-host.invalid");
        }
        try (Launched run = run("verify", "-w", "node01", server.option(), folder + "/elsewhere")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
            assertThat(run.err()).contains("nothing is known of a copy in " + folder + "/elsewhere");
        }
        assertNothingRuns();
    }

    private Launched run(String... arguments) throws IOException {
        return Launched.start(folder, Map.of("SSH_START_IT", mark), arguments);
    }

    @Test
    void aSecondRunSendsWhatHasChangedAndFiltersHold() throws Exception {
        server.start();
        Files.writeString(source.resolve("left.tmp"), "x");
        List<String> options = List.of("--exclude=*.tmp", "-o", "json");
        try (Launched run = replicate("node[01-02]", options)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(folder.resolve("dest/node01/tree/left.tmp")).doesNotExist();
        assertThat(folder.resolve("dest/node02/tree/a")).exists();
        Files.delete(source.resolve("left.tmp"));
        Files.writeString(source.resolve("new"), "one more");
        try (Launched run = replicate("node[01-02]", options)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("\"status\" : \"complete\"");
        }
        assertCopies("node01", "node02");
    }

    /** Hosts get the version of this side, whatever they have had before, and keep both. */
    @Test
    void theNextVersionIsCarriedOverBesideTheFirst() throws Exception {
        server.start();
        try (Launched run = replicate("node01", List.of("-v"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Path first = program();
        List<String> command =
                new ArrayList<>(List.of(NextVersion.make(folder.resolve("next")).toString()));
        command.addAll(List.of("replicate", "-w", "node01", server.option(), source.toString()));
        command.add(folder.resolve("dest") + "/{host}-next");
        try (Launched run = Launched.command(folder, Map.of("SSH_START_IT", mark), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 2 of 2 nodes");
        }
        assertThat(first).isDirectory();
        try (Stream<Path> programs = Files.list(first.getParent())) {
            assertThat(programs).hasSize(2);
        }
    }

    /** A program that has changed in the cache is as good as none, but a node may run it. */
    @Test
    void aDamagedProgramIsCarriedOverAnew() throws Exception {
        server.start();
        try (Launched run = replicate("node01", List.of("-v"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Path library = jars(program()).get(0);
        byte[] good = Files.readAllBytes(library);
        byte[] bad = good.clone();
        bad[bad.length / 2] ^= 1;
        Files.write(library, bad);

        try (Launched run = replicate("node02", List.of("-v"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).contains("node02: " + CARRIES);
        }
        assertThat(library).hasBinaryContent(bad);
        String place = library.toString().replaceFirst("(/[0-9a-f]{64})/", "$1-1/");
        assertThat(Path.of(place)).hasBinaryContent(good);
    }

    private static List<Path> jars(Path program) throws IOException {
        try (Stream<Path> files = Files.walk(program)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void hostsThatCannotBeReachedAreNamedAndTheOthersGoOn() throws Exception {
        server.start();
        Path hosts =
                Files.writeString(folder.resolve("hosts"), "# two of three\nA:node[01-02]\nB:no-such-host.invalid\n");
        Path report = folder.resolve("report.json");
        try (Launched run =
                launch(List.of("--hostfile=" + hosts, server.option(), "--report=" + report, "--min-success=60%"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err())
                    .contains("no-such-host.invalid: ssh: Could not resolve hostname no-such-host.invalid")
                    .contains("robber-cli: error: 1 of 4 nodes is not known to be complete: no-such-host.invalid");
            assertThat(run.out())
                    .contains("failed no-such-host.invalid (too_few_nodes, during 'launch'", "partial: 3 of");
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertCopies("node01", "node02");
        for (String policy : List.of("--on-failure=abort", "--min-success=4", "--dry-run")) {
            try (Launched run = launch(List.of("--hostfile=" + hosts, server.option(), "--report=" + report, policy))) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
                assertThat(report).content().contains("\"status\" : \"failed\"", "\"exit_code\" : 4");
                assertThat(run.err()).contains("error: 1 of 3 nodes could not be started: no-such-host.invalid: ssh: ");
                assertThat(run.out()).isEmpty();
            }
        }
        assertNothingRuns();
    }

    @Test
    void aWrongKeyIsToldInTheWordsOfSsh() throws Exception {
        server.start();
        try (Launched run = launch(List.of("-w", "node01", server.optionWithWrongKey()))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("could not be started: node01: ", "Permission denied (publickey)");
        }
        assertThat(Trees.names(folder.resolve("dest"))).isEmpty();
    }

    @Test
    void aHostWithoutJavaOrWithAnOldOneIsNamed() throws Exception {
        Path none = tools("none");
        Path old = tools("old");
        Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        server.hosts(variables(home, none.toString()), "bare")
                .hosts(variables(home, old.toString()), "dated")
                .start();
        try (Launched run = replicate("bare,dated", List.of())) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err())
                    .contains("bare: no java in PATH (" + none + "): install Java 17 or newer there, or name it by")
                    .contains("dated: " + java + " is Java 11.0.2: install Java 17 or newer there");
        }
        assertThat(home.resolve(".cache")).doesNotExist();
        try (Launched run =
                replicate("bare", List.of("--remote-java=" + System.getProperty("java.home") + "/bin/java"))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertCopies("bare");
    }

    /** All that a node needs but Java. */
    private Path tools(String name) throws IOException {
        Path place = Files.createDirectory(folder.resolve(name));
        for (String tool : List.of(
                "sh",
                "dd",
                "sed",
                "tr",
                "mkdir",
                "mktemp",
                "rm",
                "mv",
                "head",
                "wc",
                "tar",
                "sha256sum",
                "xargs",
                "sync",
                "timeout")) {
            Files.createSymbolicLink(place.resolve(tool), Path.of("/usr/bin", tool));
        }
        return place;
    }

    @Test
    void aFullHomeIsNamedAndKeepsNoRest() throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        List<String> mounted = List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=1M tmpfs \"$0\" && exec \"$@\"",
                full.toString());
        assumeThat(new ProcessBuilder(Stream.concat(mounted.stream(), Stream.of("true"))
                                .toList())
                        .start()
                        .waitFor())
                .as("root may mount in a namespace of its own")
                .isZero();
        server.hosts(variables(full, "/usr/bin:/bin"), "tiny").start(mounted.toArray(String[]::new));
        for (int attempt = 0; attempt < 2; attempt++) {
            try (Launched run = replicate("tiny", List.of())) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
                assertThat(run.err()).contains("tiny: cannot write to " + full, "No space left on device", "make room");
            }
        }
    }

    @Test
    void aNodeThatIsKilledIsNamedAndTheOthersGoOn() throws Exception {
        server.start();
        try (Launched run = replicate("A:node01,B:gpu1", List.of("--bwlimit=2M", "--progress=json"))) {
            run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            List<ProcessHandle> remote = new ArrayList<>(Launched.withVariable("SSH_START_IT", mark));
            remote.removeIf(process -> !process.info().commandLine().orElse("").contains(home + "/.cache"));
            assertThat(remote).hasSize(2);
            Launched.signal("KILL", remote.get(0).pid());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.out()).contains("partial: 2 of 3 nodes");
        }
        assertNothingRuns();
    }

    @Test
    void aNodeThatDiesBeforeItJoinsIsNamedAndTheOthersGoOn() throws Exception {
        Path dying = tools("dying");
        Path java = Files.writeString(dying.resolve("java"), """
                #!/bin/sh
                if [ "$2" = -version ] || [ "$1" = -version ]; then echo 'openjdk version "17.0.2" 2022' >&2; exit; fi
                read -r secret; read -r order; echo 'no memory for Java' >&2; exit 1
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        server.hosts(variables(home, dying.toString()), "dying").start();
        String why = "dying (rank 2) ended with exit code 1 before it had joined the job; it said last: no memory for";
        Path report = folder.resolve("report.json");
        try (Launched run = replicate("A:node01,dying,B:gpu1", List.of("--report=" + report))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("dying: no memory for Java", why);
            assertThat(run.out()).contains("A-1   dying  failed", "failed A-1 (too_few_nodes", "partial: 3 of 4 nodes");
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertCopies("node01", "gpu1");
        try (Launched run = replicate("A:node01,dying,B:gpu1", List.of("--on-failure=abort"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("robber-cli: error: " + why);
        }
        assertNothingRuns();
    }

    @Test
    @Tag("smoke")
    void nothingIsLeftAnywhereWhenThisSideIsKilled() throws Exception {
        server.start();
        try (Launched run = replicate("A:node[01-02],B:gpu1", List.of("--bwlimit=200K", "--progress=json"))) {
            run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            // this process, rank 0, and for each host ssh and the node
            assertThat(Launched.withVariable("SSH_START_IT", mark)).hasSizeGreaterThanOrEqualTo(8);
            Launched.signal("KILL", run.processId());
            assertNothingRuns();
        }
        assertThat(folder.resolve("dest").resolve("node01").resolve("tree")).doesNotExist();
    }

    @Test
    void aHostThatHangsIsGivenUp() throws Exception {
        Path slow = tools("slow");
        Path java = Files.writeString(slow.resolve("java"), "#!/bin/sh\nexec /usr/bin/sleep 600\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        server.hosts(variables(home, slow.toString()), "slow").start();
        try (Launched run = replicate("slow", List.of("--connect-timeout=5s"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("slow: nothing was heard from its node for 5 s");
        }
        try (Launched run = replicate("slow", List.of("--deadline=3s"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(30);
            assertThat(run.err()).contains("slow: the deadline has passed");
        }
        assertNothingRuns();
    }

    /** Its words are no sign that the node starts. */
    @Test
    void aHostThatOnlyTalksIsGivenUp() throws Exception {
        try (Launched run = launch(List.of(
                "-w", "slow", "--ssh=sh -c 'while :; do echo waiting; sleep 1; done'", "--connect-timeout=5s"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains("slow: waiting", "slow: nothing was heard from its node for 5 s");
        }
        assertNothingRuns();
    }

    /** A program that calls ssh, and does not hand its process to it. */
    @Test
    void aHostThatHangsBehindAnotherProgramIsGivenUp() throws Exception {
        Path slow = tools("slow");
        Path java = Files.writeString(slow.resolve("java"), "#!/bin/sh\nexec /usr/bin/sleep 600\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        server.hosts(variables(home, slow.toString()), "slow").start();
        String inner = server.option().substring("--ssh=".length());
        Path wrapper = Files.writeString(folder.resolve("my-ssh"), "#!/bin/sh\n" + inner + " \"$@\"\nexit $?\n");
        assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        List<String> command = List.of("-w", "slow", "--ssh='" + wrapper + "'");
        for (String limit : List.of("--connect-timeout=5s", "--deadline=3s")) {
            try (Launched run =
                    launch(Stream.concat(command.stream(), Stream.of(limit)).toList())) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(limit.startsWith("--dead") ? 30 : 4);
            }
            assertNothingRuns();
        }
        try (Launched run = launch(command)) {
            awaitStarted("sleep 600");
            Launched.signal("TERM", run.processId());
            assertNothingRuns();
        }
    }

    private void awaitStarted(String words) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (Launched.withVariable("SSH_START_IT", mark).stream()
                .noneMatch(process -> process.info().commandLine().orElse("").contains(words))) {
            assertThat(System.nanoTime()).as("waiting for %s", words).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private Launched replicate(String hosts, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(List.of("-w", hosts, server.option()));
        all.addAll(options);
        return launch(all);
    }

    private Launched launch(List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("replicate"));
        arguments.addAll(options);
        arguments.addAll(List.of(source.toString(), folder.resolve("dest") + "/{host}"));
        return Launched.start(folder, Map.of("SSH_START_IT", mark), arguments.toArray(String[]::new));
    }

    private void assertCopies(String... hosts) throws IOException {
        for (String host : hosts) {
            Trees.assertSame(source, folder.resolve("dest").resolve(host).resolve("tree"));
        }
    }

    /** The folder of the program; there is no other, and nothing half-written. */
    private Path program() throws IOException {
        try (Stream<Path> all = Files.list(home.resolve(".cache/robber"))) {
            List<Path> found = all.toList();
            assertThat(found).hasSize(1);
            assertThat(found.get(0).getFileName().toString()).matches("[0-9a-f]{64}");
            return found.get(0);
        }
    }

    private void assertNothingRuns() throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        List<ProcessHandle> left = Launched.withVariable("SSH_START_IT", mark);
        while (!left.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
            left = Launched.withVariable("SSH_START_IT", mark);
        }
        assertThat(left.stream().map(process -> process.info().toString())).isEmpty();
    }

    private static String mappedFiles(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/maps"));
        } catch (IOException e) {
            // it has ended
            return "";
        }
    }

    /** Of all processes of this machine that can be looked at. */
    private static String argumentsAndVariables() {
        StringBuilder all = new StringBuilder();
        ProcessHandle.allProcesses().forEach(process -> {
            for (String what : List.of("cmdline", "environ")) {
                try {
                    all.append(Files.readString(
                            Path.of("/proc/" + process.pid() + "/" + what), StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    // it has ended, or belongs to somebody else
                }
            }
        });
        return all.toString();
    }
}
