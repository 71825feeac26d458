package org.robber.cli.replicate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.TransferStats;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.JobReport;
import org.robber.cli.report.NodeResult;
import org.robber.cli.report.ReportBuilder;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.SourceSummary;

/** The report as rank 0 makes and delivers it; on other ranks, nothing. */
final class RootReport {
    private final ReplicateRequest request;
    private final NodeOutput output;
    private final boolean here;
    private final ReportBuilder builder;
    private final ReportDelivery delivery;
    private final Communicator world;
    private final JobWatch watch;
    private double seconds;
    private @Nullable JobReport finished;

    RootReport(ReplicateRequest request, Communicator world, NodeOutput output, JobWatch watch) {
        this.request = request;
        this.output = output;
        this.world = world;
        this.watch = watch;
        this.here = world.rank() == 0;
        this.delivery = new ReportDelivery(request, output, world.size(), watch.history(), world.clusters());
        this.builder = new ReportBuilder(
                world, request.source().fullRoots(), request.channel().strategy());
        builder.absent(request.report().absent());
        if (request.losses().minSuccess() != null) {
            builder.fewest(request.losses().wanted(world.size()));
        }
    }

    void source(SourceSummary source) {
        builder.source(source.bytes(), source.entries(), source.skipped());
    }

    /** So many bytes are in files that all nodes had already. */
    void unchanged(long bytes) {
        builder.unchanged(bytes);
    }

    /** A stream has come to its end. */
    void stream(TransferStats stats) {
        builder.source(stats.bytes(), 1, List.of());
        seconds(stats.nanos() / 1e9);
    }

    void seconds(double ofTransfer) {
        seconds = ofTransfer;
        builder.seconds(ofTransfer);
    }

    /** This node has put its own copy in place, or failed to. */
    void committed(NodeResult own) {
        if (here) {
            builder.committed(own);
        }
    }

    /** These nodes came while the job ran. */
    void joined(List<JoinedNode> nodes) {
        builder.joined(nodes);
    }

    /**
     * Looks whether the report can be delivered, before the job is done, and removes that of an earlier job.
     *
     * @throws RobberException if the file for it can't be written, or is the source
     */
    void prepare() {
        if (request.source().isRoot(0)) {
            request.report().checkApart(request.source().pathsAt(world));
        }
        ReportFile.prepare(request.report().file(), 0);
    }

    /**
     * Makes the report of a job that went on to its end, and writes the file for it.
     *
     * @return the job's exit code
     * @throws RobberException if the file can't be written
     */
    int finished(List<NodeResult> results) {
        JobReport report = builder.finished(results);
        watch.results(results, seconds);
        finished = report;
        delivery.write(report, "all nodes are through");
        watch.ended(report.exitCode());
        return report.exitCode();
    }

    /** Prints the report that has been finished, if there is one; to be called when nothing can go wrong any more. */
    void print() {
        JobReport report = finished;
        if (report != null) {
            delivery.print(report);
            if (report.error() != null) {
                output.error(report.exitCode(), report.error().message());
            }
        }
    }

    /** Delivers the report of a job that was ended by a failure, as well as may be. */
    RobberException failed(RobberException failure, LossTracker lossTracker) {
        if (!here) {
            return failure;
        }
        watch.ended(failure.reason().exitCode());
        JobReport through = ReportFile.PHASE.equals(failure.phase()) ? finished : null;
        return delivery.failed(
                through == null
                        ? builder.failed(failure, lossTracker.lost(), lossTracker::verifiedBytes)
                        : through.endedBy(failure),
                failure);
    }
}
