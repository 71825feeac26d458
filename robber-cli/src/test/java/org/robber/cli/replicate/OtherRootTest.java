package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.filter.Selection;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;
import org.robber.cli.request.SourceTerms;

/** Another node than rank 0 has the source. */
class OtherRootTest {
    private static final int ROOT = 2;

    @TempDir
    private Path folder;

    private final RecordedJob job = new RecordedJob();

    /** The others do not even see it: their paths lead nowhere. */
    @Test
    void itIsReadThereAlone() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 21);
        job.run(rank -> request(rank, source, "{node}").request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Trees.assertSame(source, folder.resolve(node).resolve("tree"));
        }
    }

    @Test
    void aSecondRunSendsWhatHasChanged() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 22);
        job.run(rank -> request(rank, source, "{node}").request());
        Files.writeString(source.resolve("added"), "added");
        Path report = folder.resolve("report.json");
        job.run(rank -> request(rank, source, "{node}").json(report).request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        assertThat(Files.readString(report)).contains("\"status\" : \"complete\"", "\"bytes_received_local\" : 5");
        Trees.assertSame(source, folder.resolve("A-0/tree"));
    }

    /** It writes nothing where its copy would be the source. */
    @Test
    void theSourceCanBeTheCopyOfItsNode() throws IOException {
        Path source = Trees.make(Files.createDirectory(folder.resolve("B-0")).resolve("tree"), 23);
        job.run(rank -> request(rank, source, "{node}").request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        Trees.assertSame(source, folder.resolve("A-0/tree"));
    }

    @Test
    void itsFailuresEndTheJob() {
        job.run(rank -> request(ROOT, folder.resolve("none"), "{node}").request());

        assertThat(job.failures).hasSize(4).allSatisfy((rank, failure) -> {
            assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
            assertThat(failure.ranks()).containsExactly(ROOT);
        });
    }

    @Test
    void nobodyWritesIntoIt() throws IOException {
        Path source = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(source.resolve("file"), "x");
        job.run(rank -> request(rank, source, "tree/{node}").request());

        assertThat(job.failures)
                .hasSize(4)
                .allSatisfy((rank, failure) -> assertThat(failure).hasMessageContaining("inside the source"));
    }

    @Test
    void plansKnowIt() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 24);
        job.run(rank -> request(rank, source, "{node}")
                .selection(new Selection(List.of(), "", /* deletes= */ true))
                .dryRun()
                .request());

        assertThat(job.codes)
                .hasSize(4)
                .allSatisfy((rank, code) -> assertThat(code).isZero());
        assertThat(job.output.text()).contains("nodes:    4 (A: 2, B: 2)", "nothing was written");
        assertThat(folder.resolve("A-0")).doesNotExist();
    }

    @Test
    void noSuchNodeAndStreamsAreRefused() {
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> new SourceTerms(List.of("x"), Selection.all(), ImmutableList.of(4)).check(4))
                .withMessageContaining("--root=4: there is no node 4, ranks are 0 to 3");
        ReplicateRequest stream =
                Requests.of("-", "file", ChannelOptions.defaults()).root(1).request();
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> StreamReplication.check(stream))
                .withMessageContaining("a stream comes from rank 0: leave out --root");
    }

    private Requests request(int rank, Path source, String destination) {
        String path = rank == ROOT ? source.toString() : "/nowhere/" + source.getFileName();
        ChannelOptions channel = ChannelOptions.defaults().withPieceBytes(65536).withOnLoss(OnLoss.COMPLETE_SURVIVORS);
        return Requests.of(path, folder + "/" + destination, channel)
                .root(ROOT)
                .stateFolder(folder.resolve("state-" + rank));
    }
}
