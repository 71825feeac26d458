package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real Slurm on loopback for root: a controller and some nodes, each a daemon of this machine with a port of its own. Slurm alone knows
 * the names of the nodes.
 */
final class SlurmCluster implements AutoCloseable {
    private static final List<Path> DAEMONS =
            List.of(Path.of("/usr/sbin/munged"), Path.of("/usr/sbin/slurmctld"), Path.of("/usr/sbin/slurmd"));
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int KEY_BYTES = 1024;
    private static final int MOST_FIRST_JOB = 60_000_000;

    private final Path folder;
    private final Path config;
    private final List<Process> daemons = new ArrayList<>();

    /** @param folder for configuration, state and logs; made if it is missing */
    SlurmCluster(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.config = folder.resolve("slurm.conf");
    }

    /** Whether Slurm is installed here. */
    static boolean isPossible() {
        return DAEMONS.stream().allMatch(Files::isExecutable);
    }

    /** Starts it with so many nodes, and waits until they can be used. */
    SlurmCluster start(int nodes) throws IOException, InterruptedException {
        Path socket = startMunge();
        String machine = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        Files.createDirectories(folder.resolve("state"));
        StringBuilder text = new StringBuilder("""
                ClusterName=test
                SlurmctldHost=%1$s(127.0.0.1)
                SlurmctldPort=%2$d
                FirstJobId=%5$d
                AuthInfo=socket=%3$s
                SlurmUser=root
                StateSaveLocation=%4$s/state
                SlurmdSpoolDir=%4$s/spool.%%n
                SlurmctldPidFile=%4$s/slurmctld.pid
                SlurmdPidFile=%4$s/slurmd.%%n.pid
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                SelectType=select/cons_tres
                SelectTypeParameters=CR_CPU
                SlurmdParameters=config_overrides
                ReturnToService=2
                TopologyPlugin=topology/tree
                PartitionName=main Nodes=ALL Default=YES
                """.formatted(machine, FreePort.find(), socket, folder, firstJob()));
        for (int node = 1; node <= nodes; node++) {
            Files.createDirectories(folder.resolve("spool." + name(node)));
            text.append("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=2%n"
                    .formatted(name(node), machine, FreePort.find()));
        }
        Files.writeString(config, text);
        // The first node is at one switch, and all others are at another.
        String others =
                IntStream.rangeClosed(2, nodes).mapToObj(SlurmCluster::name).collect(Collectors.joining(","));
        Files.writeString(folder.resolve("topology.conf"), """
                SwitchName=leaf1 Nodes=%s
                SwitchName=leaf2 Nodes=%s
                SwitchName=root Switches=leaf1,leaf2
                """.formatted(name(1), others));
        start("slurmctld", "/usr/sbin/slurmctld", "-D", "-c", "-f", config.toString());
        for (int node = 1; node <= nodes; node++) {
            start("slurmd" + node, "/usr/sbin/slurmd", "-D", "-N", name(node), "-f", config.toString());
        }
        await(
                "nodes are idle",
                () -> said("sinfo", "--noheader", "--states=idle", "--format=%D")
                        .equals(nodes + "\n"));
        return this;
    }

    /** Robber derives a port of this machine from the number of a job, and clusters of other tests run at the same time. */
    private static int firstJob() {
        return ThreadLocalRandom.current().nextInt(1, MOST_FIRST_JOB);
    }

    private static String name(int node) {
        return "known-to-slurm-" + node;
    }

    private Path startMunge() throws IOException, InterruptedException {
        byte[] key = new byte[KEY_BYTES];
        new Random(7).nextBytes(key);
        Path keyFile = Files.write(folder.resolve("munge.key"), key);
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("r--------"));
        Path socket = folder.resolve("munge.socket");
        start(
                "munged",
                "/usr/sbin/munged",
                "--foreground",
                "--force",
                "--key-file=" + keyFile,
                "--socket=" + socket,
                "--pid-file=" + folder.resolve("munge.pid"),
                "--seed-file=" + folder.resolve("munge.seed"));
        await("munged listens", () -> Files.exists(socket));
        return socket;
    }

    private void start(String name, String... command) throws IOException {
        daemons.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }

    /** Something that is so after a while. */
    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private void await(String what, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.holds()) {
            assertThat(System.nanoTime() < end && daemons.stream().allMatch(Process::isAlive))
                    .as("%s; look at %s", what, logs())
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var files = Files.newDirectoryStream(folder, "*.log")) {
            for (Path file : files) {
                all.append(file).append(":\n").append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private String said(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(variables());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    /** By these variables the commands of Slurm find it. */
    Map<String, String> variables() {
        return Map.of("SLURM_CONF", config.toString());
    }

    /** Ends it; jobs should have ended before. */
    @Override
    public void close() {
        // the daemon that proves who is who is needed to the end
        for (int i = daemons.size() - 1; i >= 0; i--) {
            Process daemon = daemons.get(i);
            daemon.descendants().forEach(ProcessHandle::destroyForcibly);
            daemon.destroyForcibly().onExit().join();
        }
    }
}
