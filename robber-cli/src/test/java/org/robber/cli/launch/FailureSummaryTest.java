package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.cli.launch.FailureSummary.Failure;
import org.robber.cli.progress.StatusConsole;

class FailureSummaryTest {
    private static final Failure OVERDUE =
            new Failure(5, "stopped, because they did not end when another node had: A-1");

    private static NodeProcess ended(int rank, int code) throws Exception {
        NodeProcess node = NodeProcess.start(
                rank,
                NodeProcesses.Node.local("A-" + rank, new ProcessBuilder("sh", "-c", "exit " + code), Optional.empty()),
                new PipeOutput(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)),
                StatusConsole.standardError());
        assertThat(node.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        return node;
    }

    /** Rank 0 ends with 0 only if it has heard from every node that its copy is in place. */
    @Test
    void aProcessThatStaysWhenAllCopiesAreCompleteIsARemark() throws Exception {
        List<String> remarks = new ArrayList<>();
        Failure failure =
                new FailureSummary().ofJob(List.of(ended(0, 0), ended(1, 137)), false, List.of(), OVERDUE, remarks);

        assertThat(failure).isNull();
        assertThat(remarks).containsExactly(OVERDUE.message() + ", when all copies were complete");
    }

    /** The report of the launcher has the code of a reason. */
    @Test
    void aProcessThatEndsWithoutAReasonGivesTheJobACodeOfItsOwn() throws Exception {
        assertThat(withoutReason(127).exitCode()).isEqualTo(1);
        assertThat(withoutReason(143).exitCode()).isEqualTo(130);
        assertThat(withoutReason(5).exitCode()).isEqualTo(5);
    }

    private static Failure withoutReason(int code) throws Exception {
        Failure failure =
                new FailureSummary().ofJob(List.of(ended(0, code)), false, List.of(), null, new ArrayList<>());
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void aProcessThatStaysAfterAnyOtherEndIsTheFailure() throws Exception {
        Failure failure = new FailureSummary()
                .ofJob(List.of(ended(0, 5), ended(1, 137)), false, List.of(), OVERDUE, new ArrayList<>());

        assertThat(failure).isEqualTo(OVERDUE);
    }
}
