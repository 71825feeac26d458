package org.robber.cli.replicate;

import java.util.List;
import org.robber.RobberException;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.JobPage;
import org.robber.cli.report.JobReport;
import org.robber.cli.report.JobReportJson;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.report.ReportTable;
import org.robber.cli.report.TransferHistory;
import org.robber.cli.request.ReplicateRequest;

/**
 * Brings the report of a job to its file, and to the output of the command.
 *
 * @param nodes how many the job has
 * @param history of the transfer, for a page
 * @param clusters the names of those that the history counts by number
 */
public record ReportDelivery(
        ReplicateRequest request, NodeOutput output, int nodes, TransferHistory history, List<String> clusters) {

    /**
     * Delivers the report of a job that fails before its nodes have found each other: the file of an earlier job says nothing of this one.
     *
     * @param absent nodes that could not be started
     * @return the failure of the command
     */
    public static RobberException unbegun(
            ReplicateRequest request, NodeOutput output, int nodes, List<AbsentNode> absent, RobberException failure) {
        TransferHistory none = new TransferHistory(List.of(), 0, List.of());
        return new ReportDelivery(request, output, nodes, none, List.of())
                .failed(JobReport.unbegun(failure, request.channel().strategy(), absent), failure);
    }

    /**
     * Writes the file, if one is wanted.
     *
     * @param done what the job has done, for the message of a failure
     * @throws RobberException if it can't be written
     */
    void write(JobReport report, String done) {
        ReportFile.write(request.report().file(), text(report), 0, done);
    }

    /** Prints the report, as the user wants it. */
    void print(JobReport report) {
        String text = isJson() ? JobReportJson.text(report) : ReportTable.text(report);
        text.lines().forEach(output::result);
    }

    /** Delivers the report of a job that was ended by a failure, as well as may be; returns the failure of the command. */
    RobberException failed(JobReport report, RobberException failure) {
        if (isJson()) {
            print(report);
        }
        return FailureText.delivered(failure, text -> write(report, text));
    }

    private boolean isJson() {
        return request.report().format() == OutputFormat.JSON;
    }

    /** For the file. */
    private String text(JobReport report) {
        return ReportFile.isPage(request.report().file())
                ? JobPage.text(
                        report,
                        request.source().text() + " to " + nodes + (nodes == 1 ? " node" : " nodes"),
                        history,
                        clusters)
                : JobReportJson.text(report);
    }
}
