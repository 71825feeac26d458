package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException.Reason;

/** Some nodes have the next version already: they are refused with a message on both sides, and no others suffer. */
class UpgradeIT {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    private Path source;
    private Path old;
    private Path next;
    private String uri;

    @BeforeEach
    void makeBothVersions() throws IOException, InterruptedException {
        source = Trees.make(folder.resolve("tree"), 7);
        old = NextVersion.unpackThis(folder.resolve("old"));
        next = NextVersion.make(folder.resolve("next"));
        uri = "robber://test@127.0.0.1:" + FreePort.find();
    }

    @Test
    void theNextVersionCopiesAmongItsOwn() throws Exception {
        try (Launched run = start(next, Map.of(), "replicate", "--local=2x2", source.toString(), folder + "/dest")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("dest/B-1/tree"));
    }

    @Test
    void aNewNodeIsRefusedByAnOldRankZeroWhichGoesOnWithTheRightOne() throws Exception {
        refusesAndGoesOn(old, next);
    }

    @Test
    void anOldNodeIsRefusedByANewRankZeroWhichGoesOnWithTheRightOne() throws Exception {
        refusesAndGoesOn(next, old);
    }

    private void refusesAndGoesOn(Path right, Path wrong) throws Exception {
        try (Launched root = node(right, 0, "60s")) {
            try (Launched other = node(wrong, 1, "60s")) {
                assertThat(other.exitCode()).as(other.err()).isEqualTo(Reason.USAGE.exitCode());
                assertThat(other.err())
                        .contains(" runs another version: ", "the other side speaks version ")
                        .contains("install the same one on every node");
            }
            root.awaitSaid("the other side speaks version ", LIMIT_NANOS);
            try (Launched same = node(right, 1, "60s")) {
                assertThat(same.exitCode()).as(same.err()).isZero();
            }
            assertThat(root.exitCode()).as(root.err()).isZero();
        }
        Trees.assertSame(source, folder.resolve("dest-1/tree"));
    }

    /** Who looks at rank 0 alone learns why a rank is missing. */
    @Test
    void rankZeroSaysWhyItMissesANode() throws Exception {
        try (Launched root = node(old, 0, "8s");
                Launched other = node(next, 1, "60s")) {
            assertThat(other.exitCode()).as(other.err()).isEqualTo(Reason.USAGE.exitCode());
            assertThat(root.exitCode()).as(root.err()).isEqualTo(Reason.TOO_FEW_NODES.exitCode());
            assertThat(root.err())
                    .contains("1 of 2 nodes did not come", "rank 1")
                    .contains("; a node from 127.0.0.1 runs another version of Robber: install the same one");
        }
        assertThat(folder.resolve("dest-0")).doesNotExist();
    }

    @Test
    void aJoinerOfAnotherVersionIsRefusedAndTheJobGoesOn() throws Exception {
        try (Launched root = node(old, 0, "60s");
                Launched late = start(next, Map.of(), "join", uri, folder + "/late")) {
            assertThat(late.exitCode()).as(late.err()).isEqualTo(Reason.USAGE.exitCode());
            assertThat(late.err()).contains(" runs another version: ");
            try (Launched same = node(old, 1, "60s")) {
                assertThat(same.exitCode()).as(same.err()).isZero();
            }
            assertThat(root.exitCode()).as(root.err()).isZero();
        }
        assertThat(folder.resolve("late")).doesNotExist();
    }

    private Launched node(Path program, int rank, String connectTimeout) throws IOException {
        Map<String, String> environment =
                new TreeMap<>(Map.of("ROBBER_RANK", Integer.toString(rank), "ROBBER_SIZE", "2", "ROBBER_URI", uri));
        environment.put("ROBBER_CONNECT_TIMEOUT", connectTimeout);
        return start(program, environment, "replicate", source.toString(), folder + "/dest-{rank}");
    }

    private Launched start(Path program, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return Launched.command(folder, environment, command);
    }
}
