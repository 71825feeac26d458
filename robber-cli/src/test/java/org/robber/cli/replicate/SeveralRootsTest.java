package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** Ranks 1 and 3 have a part of the source each; all nodes get both. */
class SeveralRootsTest {
    private static final List<String> NODES = List.of("A-0", "A-1", "B-0", "B-1");

    @TempDir
    private Path folder;

    private final RecordedJob job = new RecordedJob();

    private Path first;
    private Path second;
    /** What every node is to have. */
    private Path all;

    @BeforeEach
    void makeParts() throws IOException {
        first = folder.resolve("part-1");
        second = folder.resolve("part-3");
        all = folder.resolve("all");
        for (Path place : List.of(first, second, all)) {
            Files.createDirectory(place);
        }
        for (Path place : List.of(first, all)) {
            Trees.make(place.resolve("tree"), 31);
            write(place.resolve("both/one"), "one".repeat(50_000));
        }
        for (Path place : List.of(second, all)) {
            Trees.make(place.resolve("another"), 32);
            write(place.resolve("both/other"), "other".repeat(50_000));
        }
        for (Path place : List.of(first, all)) {
            Files.createSymbolicLink(place.resolve("both/link"), Path.of("one"));
        }
        for (Path place : List.of(first, second, all)) {
            settle(place);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
    }

    /** Directories that are in both parts have one time, so that it does not matter which of them counts. */
    private static void settle(Path part) throws IOException {
        for (Path directory : List.of(part.resolve("both"), part)) {
            Files.setLastModifiedTime(directory, FileTime.fromMillis(1_700_000_000_000L));
        }
    }

    @Test
    void allNodesGetAllParts() throws IOException {
        Path report = folder.resolve("report.json");
        run(request("part-{rank}/", "{node}").json(report).request());

        assertCopied();
        long bytes = 0;
        try (Stream<Path> files = Files.walk(all)) {
            bytes = files.filter(file -> Files.isRegularFile(file) && !Files.isSymbolicLink(file))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
        assertThat(Files.readString(report)).contains("\"status\" : \"complete\"", "\"bytes\" : " + bytes + ",");
    }

    /** As with one source: without a slash, a part keeps its name. */
    @Test
    void partsKeepTheirNames() throws IOException {
        run(request("part-{rank}", "{node}").request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        for (String node : NODES) {
            Trees.assertSame(first, folder.resolve(node).resolve("part-1"));
            Trees.assertSame(second, folder.resolve(node).resolve("part-3"));
        }
    }

    @Test
    void aSecondRunSendsWhatHasChanged() throws IOException {
        run(request("part-{rank}/", "{node}").request());
        Files.writeString(second.resolve("added"), "added");
        Files.writeString(all.resolve("added"), "added");
        Files.setLastModifiedTime(all.resolve("added"), Files.getLastModifiedTime(second.resolve("added")));
        settle(second);
        settle(all);
        Path report = folder.resolve("report.json");
        run(request("part-{rank}/", "{node}").json(report).request());

        assertCopied();
        String told = Files.readString(report);
        long received = Stream.of(told.split("\n"))
                .filter(line -> line.contains("\"bytes_received_"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
        assertThat(received).as(told).isBetween(15L, 3 * 65_536L);
    }

    /** What the part of a root was would be hard to say after the first run. */
    @Test
    void aCopyIsNotWhereAPartIs() throws IOException {
        Files.move(second, folder.resolve("B-1"));
        Files.createDirectory(folder.resolve("A-1"));
        write(folder.resolve("A-1/one"), "one");
        run(request("{node}/", "{node}").request());

        assertThat(job.failures).hasSize(4).allSatisfy((rank, failure) -> {
            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContaining("choose a DEST apart from SRC");
        });
    }

    @Test
    void aPathInTwoPartsEndsTheJobAndIsNamed() throws IOException {
        write(second.resolve("both/one"), "another one");
        for (boolean plans : List.of(true, false)) {
            Requests request = request("part-{rank}/", "{node}");
            run(plans ? request.dryRun().request() : request.request());

            assertThat(job.failures).hasSize(4).allSatisfy((rank, failure) -> {
                assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
                assertThat(failure.ranks()).containsExactly(1, 3);
                assertThat(failure)
                        .hasMessageContaining("both/one is at node A-1")
                        .hasMessageContaining("and at node B-1")
                        .hasMessageContaining("a path may be in one part only");
            });
            assertThat(folder.resolve("A-0")).doesNotExist();
            job.failures.clear();
        }
    }

    @Test
    void aPartThatIsMissingEndsTheJob() {
        run(request("part-{cluster}", "{node}").request());

        assertThat(job.failures).hasSize(4).allSatisfy((rank, failure) -> {
            assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
            assertThat(failure).hasMessageContaining("part-");
        });
    }

    @Test
    void nobodyWritesIntoAPart() {
        run(request("part-{rank}/", "part-3/{node}").request());

        assertThat(job.failures)
                .hasSize(4)
                .allSatisfy((rank, failure) -> assertThat(failure).hasMessageContaining("inside the source"));
    }

    @Test
    void plansCountAllParts() {
        run(request("part-{rank}/", "{node}").dryRun().request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        assertThat(job.output.text()).contains("nodes:    4 (A: 2, B: 2)", "nothing was written");
        assertThat(folder.resolve("A-0")).doesNotExist();
    }

    @Test
    void filtersHoldForAllParts() throws IOException {
        run(request("part-{rank}/", "{node}")
                .selection(new Selection(
                        List.of(new RuleText(Kind.EXCLUDE, "/tree"), new RuleText(Kind.EXCLUDE, "/another")),
                        "",
                        false))
                .request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        for (String node : NODES) {
            Trees.assertSame(all.resolve("both"), folder.resolve(node).resolve("both"));
            assertThat(folder.resolve(node).resolve("tree")).doesNotExist();
        }
    }

    private void assertCopied() throws IOException {
        assertThat(job.failures).isEmpty();
        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        for (String node : NODES) {
            Trees.assertSame(all, folder.resolve(node));
        }
    }

    private Requests request(String source, String destination) {
        ChannelOptions channel = ChannelOptions.defaults().withPieceBytes(65536).withOnLoss(OnLoss.COMPLETE_SURVIVORS);
        return Requests.of(folder + "/" + source, folder + "/" + destination + "/", channel)
                .root(1, 3);
    }

    private void run(ReplicateRequest request) {
        job.run(rank -> request.withStateFolder(folder.resolve("state-" + rank)));
    }
}
