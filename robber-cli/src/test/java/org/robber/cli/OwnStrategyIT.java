package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A strategy in a jar of its own, which the nodes need that this program starts. */
@Execution(ExecutionMode.CONCURRENT)
class OwnStrategyIT {

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;
    private Path jar;

    /** The content of the jar. */
    public static final class Mine implements MulticastStrategy {
        @Override
        public String name() {
            return "mine";
        }

        @Override
        public Overlay planOverlay(Topology topology, long seed) {
            return chain().planOverlay(topology, seed);
        }

        @Override
        public MulticastNode createNode(NodeSetup setup) {
            return chain().createNode(setup);
        }

        private static MulticastStrategy chain() {
            return Strategies.byName("chain");
        }
    }

    @BeforeEach
    void makeJar() throws IOException {
        source = Trees.make(folder.resolve("tree"), 31);
        jar = folder.resolve("strategy of mine.jar");
        String type = Mine.class.getName();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = Mine.class.getResourceAsStream("/" + type.replace('.', '/') + ".class")) {
            out.putNextEntry(new JarEntry(type.replace('.', '/') + ".class"));
            bytes.transferTo(out);
            out.putNextEntry(new JarEntry("META-INF/services/" + MulticastStrategy.class.getName()));
            out.write(type.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void nodesOfThisMachineKnowIt() throws Exception {
        try (Launched run = replicate("--local=2x2", folder + "/dest")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 4 of 4 nodes");
        }
        Trees.assertSame(source, folder.resolve("dest/B-1/tree"));
    }

    @Test
    void nodesThatSshStartsKnowIt() throws Exception {
        assumeThat(SshServer.isPossible()).as("sshd is installed").isTrue();
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.createDirectory(folder.resolve("dest"));
        try (SshServer server = new SshServer(folder.resolve("ssh"))
                .hosts("HOME=" + home + " PATH=/usr/bin:/bin JAVA_HOME=", "node01", "node02")
                .start()) {
            try (Launched run = replicate("-w", "node[01-02]", server.option(), folder + "/dest/{host}")) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.out()).contains("complete: 3 of 3 nodes");
            }
        }
        Trees.assertSame(source, folder.resolve("dest/node02/tree"));
    }

    /** @param more options, and the destination at the end */
    private Launched replicate(String... more) throws IOException {
        Path program = Launched.script().getParent().resolveSibling("target").resolve("robber-cli.jar");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                jar + ":" + program,
                "org.robber.cli.Main",
                "replicate",
                "--strategy=mine",
                "--progress=none"));
        command.addAll(List.of(more).subList(0, more.length - 1));
        command.addAll(List.of(source.toString(), more[more.length - 1]));
        return Launched.command(folder, Map.of(), command);
    }
}
