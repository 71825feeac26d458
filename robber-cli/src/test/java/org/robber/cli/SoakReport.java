package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.cli.SoakHarm.Moment;
import org.robber.cli.report.ReportSchema;

/** Holds the report of a {@link SoakRun} against what became of its nodes. */
final class SoakReport {
    private static final Pattern NODE = Pattern.compile(
            "\"rank\" : (\\d+),\\s+\"name\" : \"[^\"]*\",\\s+\"host\" : \"[^\"]*\",\\s+\"cluster\" : \"[^\"]*\","
                    + "\\s+\"status\" : \"(\\w+)\"");

    private final SoakJob job;
    private final SoakRun run;
    private final Path file;

    SoakReport(SoakJob job, SoakRun run, Path file) {
        this.job = job;
        this.run = run;
        this.file = file;
    }

    /**
     * Checks it, and says in a few words what it says.
     *
     * @param harmed whether the harm was done before the job was over
     */
    String check(boolean harmed) throws IOException, InterruptedException {
        boolean rootSurvived =
                !harmed || job.harm().costsNothing() || !job.harm().victims().contains(0);
        if (Files.notExists(file)) {
            // before all nodes have come there is nothing to report
            assertThat(rootSurvived && job.harm().moment() != Moment.STARTED)
                    .as("no report, with exit code %s", run.exitCode(0))
                    .isFalse();
            return "no report";
        }
        String text = Files.readString(file);
        assertThat(ReportSchema.problems(text)).isEmpty();
        List<String> statuses = new ArrayList<>();
        for (Matcher node = NODE.matcher(text); node.find(); ) {
            assertThat(Integer.parseInt(node.group(1))).isEqualTo(statuses.size());
            statuses.add(node.group(2));
        }
        if (!rootSurvived && statuses.isEmpty()) {
            // the process that started the nodes wrote it, and knows how they ended alone
            assertThat(text).contains("\"phase\" : \"launch\"").containsPattern("\"ranks\" : \\[ (\\d+, )*0\\b");
            return "report of a killed rank 0";
        }
        assertThat(statuses).hasSize(job.nodes());
        for (int rank = 0; rank < job.nodes(); rank++) {
            boolean judged = !job.harm().hidesCopyOf(rank) && !run.mayHaveRotten(rank);
            if (statuses.get(rank).equals("complete") && judged) {
                Trees.assertSame(run.source(), run.copy(rank));
            }
        }
        if (rootSurvived) {
            assertThat(text).contains("\"exit_code\" : " + run.exitCode(0) + ",");
        }
        if (rootSurvived && run.exitCode(0) == 23) {
            assertThat(text).contains("\"status\" : \"partial\"");
            for (int rank = 0; rank < job.nodes(); rank++) {
                String status = statuses.get(rank);
                if (job.harm().victims().contains(rank)) {
                    assertThat(status).as("status of rank %s", rank).isIn("failed", "complete");
                } else {
                    assertThat(status).as("status of rank %s", rank).isEqualTo("complete");
                }
            }
            assertThat(statuses).as("who makes it partial").contains("failed");
        }
        return "report " + statuses;
    }
}
