package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.cli.SoakHarm.Kind;
import org.robber.cli.SoakHarm.Moment;

/** Judges a {@link SoakRun} that has ended: its exit codes, its copies, its last words. */
final class SoakVerdict {

    private static final List<Integer> INTERRUPTED = List.of(130, 143);
    private static final Pattern RANKS = Pattern.compile("\\branks? (\\d+(?:-\\d+)?(?:, \\d+(?:-\\d+)?)*)");
    private static final int ALL_OR_NOTHING = 5;
    private static final int PARTIAL = 23;
    private static final int FULL = 6;
    /** The root that is left alone says what all others failed of. */
    private static final List<Integer> FILLED = List.of(PARTIAL, FULL);

    private static final List<Integer> KILLED = List.of(4, ALL_OR_NOTHING, PARTIAL);

    private final SoakJob job;
    private final SoakRun run;
    private final boolean harmed;

    /** @param harmed whether the harm was done before the job was over */
    SoakVerdict(SoakJob job, SoakRun run, boolean harmed) {
        this.job = job;
        this.run = run;
        this.harmed = harmed;
    }

    private boolean isVictim(int rank) {
        return harmed && job.harm().isLoss() && job.harm().victims().contains(rank);
    }

    /** Whether the job must have gone on without the victims: none is rank 0, others are left, and all had come. */
    private boolean goesOn() {
        return !isVictim(0)
                && job.harm().victims().size() < job.nodes() - 1
                && job.harm().moment() != Moment.STARTED;
    }

    /** Checks everything, and says in a few words how the job ended. */
    String check() throws IOException, InterruptedException {
        List<Integer> codes = new ArrayList<>();
        for (int rank = 0; rank < job.nodes(); rank++) {
            codes.add(run.exitCode(rank));
        }
        if (!harmed || job.harm().costsNothing()) {
            assertThat(codes).as("exit codes").containsOnly(0);
        }
        if (harmed && job.harm().isLoss() && goesOn()) {
            assertOthersAreThrough(codes);
        }
        boolean complete = codes.get(0) == 0;
        for (int rank = 0; rank < job.nodes(); rank++) {
            if (complete || codes.get(rank) == 0) {
                // a node that was killed then was killed after the end
                assertComplete(rank);
            } else {
                assertNothingIncomplete(rank, codes.get(rank));
                boolean runs = !isVictim(rank) || job.harm().kind() == Kind.CUT;
                if (codes.get(rank) == PARTIAL && !job.isLocal() && runs) {
                    // a node that says so has its own copy
                    assertComplete(rank);
                }
                if (job.harm().kind() == Kind.TERMINATE) {
                    assertThat(codes.get(rank)).as("exit code of rank %s", rank).isIn(INTERRUPTED);
                } else if (job.isLocal() || runs) {
                    assertThat(codes.get(rank))
                            .as("exit code of rank %s", rank)
                            .isIn(job.harm().kind() == Kind.FILL ? FILLED : KILLED);
                }
            }
        }
        if (!complete && job.harm().isLoss()) {
            assertVictimIsNamed(codes);
        }
        return complete
                ? (harmed && job.harm().isLoss() ? "complete, harmed too late" : "complete")
                : job.harm().kind() + " " + codes;
    }

    /** With the right bytes, and with the code of a job that is partly complete, unless all are. */
    private void assertOthersAreThrough(List<Integer> codes) throws IOException {
        for (int rank = 0; rank < job.nodes(); rank++) {
            if (!isVictim(rank)) {
                assertThat(codes.get(rank))
                        .as("exit code of rank %s", rank)
                        .isIn(0, PARTIAL)
                        .isEqualTo(codes.get(0));
                assertComplete(rank);
            } else if (job.harm().kind() == Kind.FILL) {
                assertThat(codes.get(rank))
                        .as("exit code of rank %s, whose disk is full", rank)
                        .isIn(codes.get(0), FULL);
            }
        }
    }

    private void assertComplete(int rank) throws IOException {
        if (job.harm().hidesCopyOf(rank) || run.mayHaveRotten(rank)) {
            return;
        }
        if (!job.withSlash()) {
            assertThat(run.names(rank)).containsExactly(job.source().name());
        }
        Trees.assertSame(run.source(), run.copy(rank));
    }

    private void assertNothingIncomplete(int rank, int code) throws IOException {
        List<String> names = run.names(rank);
        List<String> shown =
                names.stream().filter(name -> !SoakRun.isStaging(name)).toList();
        if (code == ALL_OR_NOTHING && !isVictim(rank)) {
            assertThat(shown).as("shown by rank %s", rank).isEmpty();
        }
        if (job.harm().hidesCopyOf(rank)) {
            return;
        }
        if (shown.isEmpty()) {
            assertThat((isVictim(rank) && !job.isLocal()) || !names.isEmpty() || Files.notExists(run.place(rank)))
                    .as("an empty folder of rank %s is left", rank)
                    .isTrue();
        } else if (job.withSlash() || isVictim(rank)) {
            // one entry after the other appears; each of them is complete
            assertPartOf(run.source(), run.copy(rank));
        } else {
            assertComplete(rank);
        }
    }

    /** Checks that what is there is what it must be; entries may be missing. */
    static void assertPartOf(Path original, Path copy) throws IOException {
        for (String name : Trees.names(copy)) {
            if (SoakRun.isStaging(name)) {
                continue;
            }
            Path file = copy.resolve(name);
            if (Files.isSymbolicLink(file)) {
                assertThat(Files.readSymbolicLink(file)).isEqualTo(Files.readSymbolicLink(original.resolve(name)));
            } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                assertThat(Files.mismatch(original.resolve(name), file))
                        .as(name)
                        .isEqualTo(-1);
            } else {
                assertThat(original.resolve(name)).isDirectory();
            }
        }
        if (Files.isRegularFile(copy)) {
            assertThat(Files.mismatch(original, copy)).as("%s", copy).isEqualTo(-1);
        }
    }

    private void assertVictimIsNamed(List<Integer> codes) throws IOException {
        StringBuilder said = new StringBuilder();
        for (int rank = 0; rank < job.nodes(); rank++) {
            if (job.isLocal() || !job.harm().victims().contains(rank)) {
                said.append(run.err(rank));
            }
        }
        boolean allLeft = said.isEmpty();
        boolean named = !Collections.disjoint(job.harm().victims(), namedRanks(said.toString()));
        assertThat(named || allLeft)
                .as("one of the killed %s is named; codes %s", job.harm().victims(), codes)
                .isTrue();
    }

    /** All ranks that errors name, such as {@code rank 3} or {@code ranks 0, 3-5}. */
    private static Set<Integer> namedRanks(String said) {
        Set<Integer> ranks = new TreeSet<>();
        said.lines().filter(line -> line.startsWith("robber-cli: error: ")).forEach(line -> {
            Matcher list = RANKS.matcher(line);
            while (list.find()) {
                for (String run : list.group(1).split(", ", -1)) {
                    String[] ends = run.split("-", -1);
                    int last = Integer.parseInt(ends[ends.length - 1]);
                    for (int rank = Integer.parseInt(ends[0]); rank <= last; rank++) {
                        ranks.add(rank);
                    }
                }
            }
        });
        return ranks;
    }
}
