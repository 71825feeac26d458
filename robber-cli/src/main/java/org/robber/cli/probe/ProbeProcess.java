package org.robber.cli.probe;

import java.util.function.UnaryOperator;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.JobPart;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.FailureReport;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.ProbeRequest;

/** This process as one node, or as all nodes, of a job that measures the network between clusters. */
public final class ProbeProcess {
    private final ProbeRequest request;
    private final NodeOutput output;
    private final JobPart part;

    public ProbeProcess(ProbeRequest request, NodeOutput output) {
        this.request = request;
        this.output = output;
        this.part = new JobPart("probe", request.deadline(), output, failure -> failed(request, output, failure));
    }

    /** Delivers the result of a job that failed, as well as may be; returns the failure of the command. */
    public static RobberException failed(ProbeRequest request, NodeOutput output, RobberException failure) {
        return FailureText.delivered(
                failure, output, request.format(), request.reportFile(), 0, FailureReport.json(failure));
    }

    /** Takes part as one node; returns the exit code. */
    public int run(JobOptions options) {
        return part.asOneNode(options, this::prepare, this::probe);
    }

    /** Runs all nodes in this process, over connections inside this machine. Returns the exit code. */
    public int runLocally(int clusters, int nodesPerCluster) {
        return part.asAllNodes(clusters, nodesPerCluster, UnaryOperator.identity(), this::prepare, this::probe);
    }

    /** Ends this process, because the process that started it has ended and can stop it no more. */
    public void abandoned() {
        part.abandoned();
    }

    private void prepare() {
        ReportFile.prepare(request.reportFile(), 0);
        ReportFile.check(request.scenario(), 0, Probing.SCENARIO);
    }

    private int probe(Communicator world) {
        new Probing(request, world, output).run();
        return 0;
    }
}
