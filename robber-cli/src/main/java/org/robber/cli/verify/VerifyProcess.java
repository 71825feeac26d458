package org.robber.cli.verify;

import java.util.function.UnaryOperator;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.JobPart;
import org.robber.cli.node.JobPart.Work;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.ReportFile;
import org.robber.cli.report.VerifyReport;
import org.robber.cli.request.VerifyRequest;

/** This process as one node, or as all nodes, of a job that verifies copies. */
public final class VerifyProcess {

    private final VerifyRequest request;
    private final NodeOutput output;
    private final VerifyReport report = new VerifyReport();
    private final JobPart part;

    public VerifyProcess(VerifyRequest request, NodeOutput output) {
        this.request = request;
        this.output = output;
        this.part =
                new JobPart("verify", request.deadline(), output, failure -> failed(request, output, report, failure));
    }

    /**
     * Delivers the result of a job that failed before its nodes had met, as well as may be; returns the failure of the command.
     */
    public static RobberException unbegun(VerifyRequest request, NodeOutput output, RobberException failure) {
        return failed(request, output, new VerifyReport(), failure);
    }

    private static RobberException failed(
            VerifyRequest request, NodeOutput output, VerifyReport report, RobberException failure) {
        return FailureText.delivered(
                failure, output, request.format(), request.reportFile(), 0, report.failed(failure));
    }

    /** Takes part as one node; returns the exit code. */
    public int run(JobOptions options) {
        return part.asOneNode(options, this::prepare, verification(request.hasCopy() ? 1 : 0));
    }

    /**
     * Runs all nodes in this process: reading takes the time, which needs no other processes. Returns the exit code.
     *
     * @param settings adds to the options of each node
     */
    public int runLocally(int clusters, int nodesPerCluster, UnaryOperator<JobOptions> settings) {
        return part.asAllNodes(
                clusters, nodesPerCluster, settings, this::prepare, verification(clusters * nodesPerCluster));
    }

    /** Ends this process, because the process that started it has ended and can stop it no more. */
    public void abandoned() {
        part.abandoned();
    }

    private void prepare() {
        ReportFile.prepare(request.reportFile(), 0);
    }

    /** @param copies how many this process reads */
    private Work verification(int copies) {
        VerifyProgress progress = new VerifyProgress(output, copies);
        return world -> new Verification(request, world, output, progress, report).run();
    }
}
