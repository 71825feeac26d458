package org.robber.cli.join;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.node.CopyCommit;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.replicate.JobDescription;
import org.robber.cli.report.JoinReport;
import org.robber.cli.report.NodeFailure;
import org.robber.cli.report.NodeResult;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.JoinRequest;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.EarlierCopy;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.record.CopyRecords;

/** The work of a node that joins a running job: the same as that of the first nodes, but no node waits long for it. */
final class JoinReplication {
    private final JoinRequest request;
    private final Joiner joiner;
    private final NodeOutput output;
    private final UnfinishedCopy unfinished;
    private volatile String phase = "prepare";
    /** Of files that the job leaves out, since all of its nodes have them. */
    private long unchangedBytes;

    JoinReplication(JoinRequest request, Joiner joiner, NodeOutput output, UnfinishedCopy unfinished) {
        this.request = request;
        this.joiner = joiner;
        this.output = output;
        this.unfinished = unfinished;
    }

    /** The phase that the node is in. */
    String phase() {
        return phase;
    }

    /** This node as people find it. */
    String node() {
        return FailureText.node(joiner.nodeName(), joiner.rank(), joiner.hostName());
    }

    /**
     * Takes part.
     *
     * @return the exit code: 0 if its copy is in place
     * @throws RobberException if it, or the job, failed
     */
    int run() {
        try {
            return steps();
        } catch (RobberException e) {
            if (!phase.equals("prepare")) {
                unfinished.failed(e);
            }
            joiner.giveUp(e);
            throw reported(e);
        } catch (ManifestException | IllegalArgumentException e) {
            RobberException failure = new RobberException(
                    Reason.INTERNAL, List.of(), phase, node() + " failed during '" + phase + "': " + e, e);
            joiner.giveUp(failure);
            throw reported(failure);
        }
    }

    @SuppressWarnings("try") // shows progress until it is closed
    private int steps() {
        JobDescription job = JobDescription.fromBytes(joiner.description());
        String destination = DestinationPattern.resolve(
                DestinationPattern.ofHost(request.destination(), joiner.hostName()),
                joiner.rank(),
                joiner.clusterName(),
                joiner.nodeName());
        job.check(DestinationInfo.of(joiner.hostName(), Path.of(destination)), destination, node());
        TreeTarget target = open(destination, job);
        phase = "transfer";
        output.started(joiner.totalBytes());
        try (JoinProgress progress = JoinProgress.show(joiner, output)) {
            joiner.receive(target, request.memoryBytes(), request.requestWindow());
        }
        phase = "verify";
        joiner.awaitRelease();
        phase = "commit";
        NodeFailure failure = CopyCommit.show(
                target, request.stateFolder(), joiner.hostName(), record -> target.commit(record, null, job.fsync()));
        NodeResult result = new NodeResult(
                joiner.stats().nanos() / 1e9, joiner.stats(), joiner.totalBytes() + unchangedBytes, failure);
        joiner.tell(result.toBytes());
        String json = JoinReport.text(joiner, result);
        String done = failure == null ? "the copy is complete" : failure.message();
        ReportFile.write(request.reportFile(), json, joiner.rank(), done);
        if (request.format() == OutputFormat.JSON) {
            output.result(json.stripTrailing());
        }
        if (failure != null) {
            output.error(failure.reason().exitCode(), failure.message());
            return failure.reason().exitCode();
        }
        if (request.format() == OutputFormat.TEXT) {
            output.result(JoinReport.line(joiner, node()));
        }
        return 0;
    }

    private RobberException reported(RobberException failure) {
        return FailureText.delivered(
                failure,
                output,
                request.format(),
                request.reportFile(),
                joiner.rank(),
                JoinReport.text(joiner, NodeResult.lost(0, NodeFailure.of(failure))));
    }

    private TreeTarget open(String destination, JobDescription job) {
        Manifest whole = ManifestCodec.decode(ByteBuffer.wrap(job.manifest()));
        EarlierCopy earlier = earlierCopy(destination, whole, job);
        Manifest manifest = ManifestPart.without(whole, job.leftOut());
        unchangedBytes = whole.totalBytes() - manifest.totalBytes();
        if (manifest.totalBytes() != joiner.totalBytes()) {
            throw new IllegalArgumentException(
                    "a manifest of " + manifest.totalBytes() + " bytes, for data of " + joiner.totalBytes());
        }
        PieceLayout layout = new PieceLayout(joiner.totalBytes(), joiner.pieceBytes());
        if (layout.pieceBytes() > request.memoryBytes()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(joiner.rank()),
                    phase,
                    node() + ": --memory has no room for a piece of this job: use at least --memory="
                            + layout.pieceBytes());
        }
        CopyTerms terms = new CopyTerms(job.copyKey(), layout, joiner.digest(), request.restart());
        TreeTarget target = TreeTarget.open(
                destination, manifest, terms.after(new LeftOut(whole, job.leftOut()), earlier.manifest()));
        unfinished.hold(target);
        return target;
    }

    /**
     * What is here of the files that the job leaves out, since all of its nodes have them.
     *
     * @throws RobberException with {@code USAGE} if any is missing: nobody will send it
     */
    private EarlierCopy earlierCopy(String destination, Manifest whole, JobDescription job) {
        Path records = request.stateFolder();
        EarlierCopy earlier = job.leftOut().isEmpty() || request.restart() || records == null
                ? EarlierCopy.none()
                : EarlierCopy.find(destination, whole, new CopyRecords(records, joiner.hostName()), job.copyKey());
        BitSet missing = (BitSet) job.leftOut().clone();
        missing.andNot(earlier.unchanged());
        if (!missing.isEmpty()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(joiner.rank()),
                    phase,
                    node() + " lacks files that the job does not send, since all of its nodes have them from an earlier"
                            + " copy: " + missing.cardinality() + " in all, the first is "
                            + whole.pathText(missing.nextSetBit(0))
                            + ": run 'replicate' for this node, or start the job with --checksum");
        }
        return earlier;
    }
}
