package org.robber.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.replicate.RecordedJob;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** {@code --delete}: copies lose what the source does not have, and nothing else is touched. */
class DeletionTest {

    @TempDir
    Path folder;

    private final RecordedOutput output = new RecordedOutput();
    private final List<Integer> codes = Collections.synchronizedList(new ArrayList<>());
    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        source = Trees.make(folder.resolve("tree"), 5);
    }

    @Test
    void copiesBecomeWhatTheSourceIs() throws IOException {
        run(2, request(source.toString(), "{node}", true));
        Path copy = folder.resolve("A-1/tree");
        Files.createDirectories(copy.resolve("extra/deep"));
        Files.writeString(copy.resolve("extra/deep/file"), "");
        Files.createSymbolicLink(copy.resolve("extra/link"), source);
        Files.writeString(copy.resolve("sub/more"), "");
        Files.writeString(folder.resolve("A-1/beside"), "");

        run(2, request(source.toString(), "{node}", false));
        assertThat(copy.resolve("sub/more")).as("only --delete removes").exists();
        run(2, dryRun(source.toString(), "{node}"));
        assertThat(output.lines)
                .contains(
                        "delete:   A-1: tree/extra/deep/file",
                        "delete:   A-1: tree/extra/",
                        "delete:   A-1: tree/sub/more");
        assertThat(copy.resolve("sub/more")).as("a dry run removes nothing").exists();
        run(2, request(source.toString(), "{node}", true));

        assertThat(codes).containsOnly(0);
        Trees.assertSame(source, copy);
        assertThat(folder.resolve("A-1/beside")).exists();
        assertThat(output.text()).contains("deleted: 5 entries of all copies");
    }

    @Test
    void whatPatternsLeaveOutStays() throws IOException {
        RuleText noLogs = new RuleText(Kind.EXCLUDE, "*.log");
        Selection selection = new Selection(List.of(noLogs), "", true);
        Files.writeString(source.resolve("of-source.log"), "");
        Path copy = Files.createDirectories(folder.resolve("A-1/tree"));
        Files.writeString(copy.resolve("mine.log"), "");
        Files.writeString(copy.resolve("extra"), "");

        run(2, requests(source.toString(), "{node}").selection(selection).request());

        assertThat(copy.resolve("mine.log")).exists();
        assertThat(copy.resolve("of-source.log")).doesNotExist();
        assertThat(copy.resolve("extra")).doesNotExist();
    }

    /** What cannot be read may be in the source or not. */
    @Test
    void nothingIsRemovedIfNotAllOfTheSourceIsKnown() throws IOException {
        Process made = new ProcessBuilder("mkfifo", source.resolve("fifo").toString()).start();
        assertThat(made.onExit().join().exitValue()).isZero();
        Path extra = Files.createDirectories(folder.resolve("A-1/tree/extra"));

        run(2, request(source.toString(), "{node}", true));

        assertThat(codes).containsOnly(23);
        assertThat(extra).exists();
    }

    @Test
    void theSourceIsNeverRemoved() throws IOException {
        Path place = Files.createDirectories(folder.resolve("A-0"));
        Path inside = Trees.make(place.resolve("inner"), 6);

        assertThatThrownBy(() -> run(1, request(inside + "/", "{node}", true)))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("--delete would remove the source " + inside.toRealPath());
        assertThat(inside.resolve("large")).exists();
        // here it is the copy of rank 0
        run(2, request(inside.toString(), "{node}", true));
        Trees.assertSame(inside, folder.resolve("A-1/inner"));
    }

    @Test
    void aSourceFileIsNeverRemoved() throws IOException {
        Path file = Files.writeString(
                Files.createDirectories(folder.resolve("A-0/tree")).resolve("mine"), "x");
        ReplicateRequest request = requests(source.toString(), "{node}")
                .and(file.toString())
                .selection(new Selection(List.of(), "", true))
                .request();

        assertThatThrownBy(() -> run(1, request))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("--delete would remove the source " + file.toRealPath());
        assertThat(file).exists();
    }

    /** Its name as bytes counts, and not the text for people. */
    @Test
    void aSourceWithAnyNameIsNeverRemoved() throws IOException {
        Path above = Files.createDirectories(folder.resolve("A-0/two\nlines"));
        Path inside = Trees.make(above.resolve("two\nlines"), 7);

        assertThatThrownBy(() -> run(1, request(inside.toString(), "{node}", true)))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("--delete would remove the source ");
        assertThat(inside.resolve("large")).exists();
    }

    private ReplicateRequest request(String from, String place, boolean deletes) {
        return requests(from, place)
                .selection(new Selection(List.of(), "", deletes))
                .request();
    }

    private ReplicateRequest dryRun(String from, String place) {
        return requests(from, place)
                .selection(new Selection(List.of(), "", true))
                .dryRun()
                .request();
    }

    private Requests requests(String from, String place) {
        return Requests.of(from, folder.resolve(place).toString(), ChannelOptions.defaults());
    }

    private void run(int nodes, ReplicateRequest request) {
        try (LocalJob job = Robber.local(1, nodes)) {
            job.run(world -> codes.add(RecordedJob.replicate(request, world, output)));
        }
    }
}
