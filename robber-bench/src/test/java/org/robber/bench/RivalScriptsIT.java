package org.robber.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs other systems in the testbed, without the testbed. Skipped where those systems are not installed. */
class RivalScriptsIT {

    private static final int BYTES = 3_000_003;

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bin/libtorrent", "bin/mpi-bcast"})
    void sayHowTheyAreUsed(String script) throws IOException, InterruptedException {
        String help = output(start(Map.of(), path(script), "--help"), 0);

        assertThat(help).contains("robber-" + script.replace("bin/", "bench/bin/"), "share of the bound");
        assertThat(output(start(Map.of(), path(script)), 2)).isEqualTo(help);
    }

    @Test
    void nodesOfLibtorrentGetEverythingAndSayWhen() throws IOException, InterruptedException {
        assumeThat(succeeds("python3", "-c", "import libtorrent"))
                .as("libtorrent is installed")
                .isTrue();

        // on addresses of their own, so that others may have those ports on others
        List<Process> nodes = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            nodes.add(start(
                    Map.of(
                            "ROBBER_RANK", Integer.toString(rank),
                            "ROBBER_SIZE", "3",
                            "ROBBER_DATA_SIZE", Integer.toString(BYTES),
                            "ROBBER_SEED", "7",
                            "ROBBER_ROOT_ADDRESS", "127.42.0.1",
                            "MASTER_ADDR", "127.42.0.1"),
                    "python3",
                    path("src/main/python/libtorrent_node.py"),
                    "--tcp",
                    "--address=127.42.0." + (rank + 1)));
        }

        for (int rank = 0; rank < 3; rank++) {
            assertThat(output(nodes.get(rank), 0)).contains("\"type\":\"done\",\"rank\":" + rank + ",\"seconds\":");
        }
    }

    @Test
    void broadcastByOpenMpiBringsAllBytes() throws IOException, InterruptedException {
        Path program = folder.resolve("mpi_bcast");
        assumeThat(succeeds("mpicc", "-o", program.toString(), path("src/main/c/mpi_bcast.c")))
                .as("Open MPI can compile")
                .isTrue();

        String said = output(
                start(
                        Map.of("ROBBER_DATA_SIZE", Integer.toString(BYTES), "ROBBER_SEED", "7"),
                        "mpirun",
                        "--allow-run-as-root",
                        "--oversubscribe",
                        "-np",
                        "3",
                        program.toString()),
                0);

        assertThat(said)
                .contains("{\"schema\":1,\"type\":\"started\"}\n")
                .contains("\"done\",\"rank\":0,", "\"done\",\"rank\":1,", "\"done\",\"rank\":2,");
    }

    @Test
    void collectiveCallsAreTimedBesideThoseOfRivals() throws IOException, InterruptedException {
        for (String compiler : List.of("mpicc.openmpi", "mpicc.mpich")) {
            assumeThat(succeeds(
                            compiler, "-o", folder.resolve("probe").toString(), path("src/main/c/mpi_collectives.c")))
                    .as("%s can compile", compiler)
                    .isTrue();
        }
        Path json = folder.resolve("times.json");

        String said = output(
                start(
                        Map.of(),
                        path("bin/collectives"),
                        "--nodes=3",
                        "--warm-up=0.1",
                        "--json=" + json,
                        "--guidelines",
                        "--cases=barrier:0:1,allReduce:8:1,allToAll:900000:1,bcast:300000:1"),
                0);

        assertThat(said)
                .containsPattern("call +bytes +robber us +openmpi us +mpich us +/ openmpi +/ mpich\n")
                .containsPattern("barrier +0( +[0-9.]+){5}\n")
                .containsPattern("allReduce +8( +[0-9.]+){5}\n")
                .containsPattern("allToAll +900000( +[0-9.]+){5}\n")
                .containsPattern("bcast +300000( +[0-9.]+){5}\n")
                .contains("mpich breaks 0 of 0 guidelines");
        assertThat(json).content().contains("\"contender\":\"mpich\",\"call\":\"allToAll\"");
        String bindings = bindings(path("target/mpi_collectives.mpich"));
        assumeThat(bindings).as("MPICH is built on UCX").contains("libuc");
        assertThat(bindings)
                .as("processes of MPICH that wait let others run")
                .containsPattern("binding file .*libuc.* to .*/mpi_collectives.mpich .*`epoll_wait'");
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes=0, at least 1 is needed",
        "--nodes=many, not a number",
        "--warm-up=abc, not a number of seconds",
        "--cases=bcast:4294967304:1, at most 2147483647 bytes",
        "--cases=bcast:8:0, expected CALL:BYTES:TIMES",
        "'--cases=bcast:8:1,scan:8:1,bcast:8:2', bcast:8:2: there is such a case already",
        "--json=/nowhere/times.json, no file can be written there",
        "--json=, no file can be written there",
        "--report=folder, --json=FILE keeps the times"
    })
    void collectivesRefuseWrongOptionsBeforeTheyMeasure(String option, String problem)
            throws IOException, InterruptedException {
        assertThat(output(start(Map.of(), path("bin/collectives"), option), 1)).contains(problem);
    }

    @Test
    void collectivesEndTheirNodesAtControlC() throws IOException, InterruptedException {
        assumeThat(succeeds("mpirun", "--version")).as("MPI starts processes").isTrue();
        // A terminal sends the signal to all of its foreground group.
        Process script = start(
                Map.of(),
                "setsid",
                "env",
                "--default-signal=INT",
                path("bin/collectives"),
                "--nodes=3",
                "--warm-up=100",
                "--contenders=robber",
                "--cases=barrier:0:1");
        List<ProcessHandle> nodes = nodesOf(script);
        while (nodes.size() < 3 && script.isAlive()) {
            Thread.sleep(20);
            nodes = nodesOf(script);
        }

        assertThat(succeeds("kill", "-INT", "--", "-" + script.pid())).isTrue();

        output(script, 130);
        assertThat(nodes)
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.onExit())
                        .as("mpirun does not wait until they are gone")
                        .succeedsWithin(Duration.ofSeconds(10)));
    }

    private static List<ProcessHandle> nodesOf(Process script) {
        return script.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/java"))
                .filter(each -> each.info().commandLine().orElse("").contains("CollectiveNode"))
                .toList();
    }

    private static String path(String inModule) {
        return new File(inModule).getAbsolutePath();
    }

    /** Which functions of which files the loader of the C library has given to which others. The program fails, without cases to time. */
    private String bindings(String program) throws IOException {
        Process process = start(Map.of("LD_BIND_NOW", "1", "LD_DEBUG", "bindings"), program);
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = start(Map.of(), command);
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException e) {
            // there is no such program
            return false;
        }
    }

    private Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        process.getOutputStream().close();
        return process;
    }

    private static String output(Process process, int exitCode) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
        return output;
    }
}
