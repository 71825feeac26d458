package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.report.ReportSchema;

/** Two nodes have a part of the source each. */
@Execution(ExecutionMode.CONCURRENT)
class SeveralRootsIT {
    private static final long PART_BYTES = (2 << 20) + 1234;
    private static final List<String> NODES = List.of("A-0", "A-1", "B-0", "B-1");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** No node sends its part in less than 4 s. */
    private static final String SLOWLY = "--bwlimit=512K";

    @TempDir
    Path folder;

    @BeforeEach
    void makeParts() throws IOException {
        Trees.makeLarge(folder.resolve("part-0/first"), PART_BYTES);
        Trees.makeLarge(folder.resolve("part-3/second"), PART_BYTES);
    }

    /** What has come is kept for each part, and the next run sends the rest. */
    @Test
    @Tag("smoke")
    void aRootThatIsKilledIsNamedAndTheSameCommandGoesOn() throws Exception {
        try (Launched run = replicate("part-{rank}/", "-v", SLOWLY, "--progress=json")) {
            run.awaitSaid(Pattern.compile("\"bytes_done\":\\d{7}"), 1, LIMIT_NANOS);
            Launched.signal("KILL", run.node(3).pid());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(5);
            assertThat(run.err()).contains("B-1 (rank 3", "which has the source, is lost");
            assertThat(run.survivors()).isEmpty();
        }
        assertThat(folder.resolve("dest/A-1/first")).doesNotExist();

        Path report = folder.resolve("report.json");
        try (Launched run = replicate("part-{rank}/", "--report=" + report)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("complete: 4 of 4 nodes", "reused: ");
        }
        assertCopied();
        String told = Files.readString(report);
        assertThat(ReportSchema.problems(told)).isEmpty();
        assertThat(told).contains("\"bytes\" : " + 2 * PART_BYTES + ",");
        for (String node : NODES) {
            assertThat(Trees.names(folder.resolve("dest").resolve(node))).containsExactly("first", "second");
        }
    }

    /** Both parts of a root's own copy are verified later, too. */
    @Test
    void copiesOfAllPartsAreVerified() throws Exception {
        try (Launched run = replicate("part-{rank}/")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        Files.writeString(folder.resolve("dest/B-0/second"), "damaged");
        try (Launched run = Launched.start(folder, Map.of(), "verify", "--local=2x2", "dest")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(7);
            assertThat(run.out()).contains("second");
        }
        try (Launched run = Launched.start(folder, Map.of(), "verify", "--local=2x2", "--repair", "dest")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertCopied();
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        refused("--root=0,9: there is no node 9, ranks are 0 to 3", "--root=0,9", "part-0/");
        refused("'x' is no rank: use a number from 0 on", "--root=0,x", "part-0/");
        refused("rank 0 is named twice", "--root=0,0", "part-0/");
        refused("--delete and --files-from need one --root", "--root=0,3", "--delete", "part-{rank}/");
        refused("a stream is the only SRC, and comes from rank 0", "--root=0,3", "-");
        refused("strategy balanced multicasts from one root only", "--root=0,3", "--strategy=balanced", "part-{rank}/");
        assertThat(folder.resolve("dest")).doesNotExist();
    }

    private void refused(String why, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("replicate", "--local=2x2"));
        all.addAll(List.of(arguments));
        all.add("dest");
        try (Launched run = Launched.start(folder, Map.of(), all.toArray(String[]::new))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains(why);
        }
    }

    @Test
    void theUplinksOfAllRootsAreUsed() throws Exception {
        Path report = folder.resolve("report.json");
        try (Launched run = replicate("part-{rank}/", "--bwlimit=1M", "--report=" + report)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertCopied();
        List<Long> sent = numbers(Files.readString(report), "bytes_sent_wan");
        assertThat(sent).hasSize(4);
        assertThat(sent.get(0)).as("root of cluster A").isPositive();
        assertThat(sent.get(3)).as("root of cluster B").isPositive();
    }

    private static List<Long> numbers(String json, String name) {
        List<Long> numbers = new ArrayList<>();
        Matcher matcher = Pattern.compile("\"" + name + "\" : (\\d+)").matcher(json);
        while (matcher.find()) {
            numbers.add(Long.valueOf(matcher.group(1)));
        }
        return numbers;
    }

    private Launched replicate(String source, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("replicate", "--local=2x2", "--root=0,3"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(source, "dest"));
        return Launched.start(
                folder, Map.of("XDG_STATE_HOME", folder.resolve("state").toString()), arguments.toArray(String[]::new));
    }

    private void assertCopied() {
        for (String node : NODES) {
            Path copy = folder.resolve("dest").resolve(node);
            assertThat(copy.resolve("first")).hasSameBinaryContentAs(folder.resolve("part-0/first"));
            assertThat(copy.resolve("second")).hasSameBinaryContentAs(folder.resolve("part-3/second"));
        }
    }
}
