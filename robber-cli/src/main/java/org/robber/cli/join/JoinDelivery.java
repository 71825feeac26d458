package org.robber.cli.join;

import org.robber.RobberException;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.JoinRequest;

/** Brings the result of a node to its file, and to the output of the command. */
record JoinDelivery(JoinRequest request, NodeOutput output) {

    /**
     * Writes the result of a node that has done its work, and prints it when nothing can fail any more.
     *
     * @param done what the node has done, for the message of a failure
     * @throws RobberException if the file can't be written
     */
    void ended(String json, int rank, String done) {
        ReportFile.write(request.reportFile(), json, rank, done);
        print(json);
    }

    /** Delivers the result of a node that has no copy, as well as may be; returns the failure of the command. */
    RobberException failed(String json, int rank, RobberException failure) {
        print(json);
        return FailureText.delivered(failure, text -> ReportFile.write(request.reportFile(), json, rank, text));
    }

    private void print(String json) {
        if (request.format() == OutputFormat.JSON) {
            json.lines().forEach(output::result);
        }
    }
}
