package org.robber.cli.replicate;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.SendLimits;
import org.robber.cli.filter.Selection;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;

/**
 * A job of {@code robber-cli replicate}; the same on every node but for placeholders in the destination.
 *
 * @param sources what to copy, as the user wrote it: a slash at the end counts; at least one
 * @param selection what of it
 * @param destination where to, as the user wrote it, with placeholders; empty at a rank 0 that only reads the source
 * @param channel how to copy it
 * @param losses what the job does if nodes are lost
 * @param deadline when to give up, or null
 * @param format how the result is printed
 * @param reportFile where the report goes, as a page if its name ends so, else as JSON; or null
 * @param metrics where rank 0 shows metrics, or null
 * @param plan not null if the job only says what would be done
 * @param restart whether to discard partial copies of an interrupted run
 * @param checksum whether files are compared by their bytes, even if their sizes and times are those of an earlier copy
 * @param fsync whether copies are on the disk before the job says that they are complete
 * @param stateFolder where to keep records of complete copies, or null for nowhere
 * @param absent nodes that could not be started, for the report
 * @param limits what this node lets others write on its machine
 */
public record ReplicateRequest(
        List<String> sources,
        Selection selection,
        String destination,
        ChannelOptions channel,
        LossPolicy losses,
        @Nullable TimeLimit deadline,
        OutputFormat format,
        @Nullable Path reportFile,
        @Nullable MetricsPlace metrics,
        @Nullable PlanTerms plan,
        boolean restart,
        boolean checksum,
        boolean fsync,
        @Nullable Path stateFolder,
        List<AbsentNode> absent,
        ReceivingLimits limits) {

    public ReplicateRequest {
        sources = List.copyOf(sources);
    }

    /** The first source; a stream is the only one. */
    public String source() {
        return sources.get(0);
    }

    /** Whether only to say what would be done. */
    public boolean dryRun() {
        return plan != null;
    }

    /** The same with another destination. */
    public ReplicateRequest withDestination(String newDestination) {
        return with(newDestination, losses, plan, stateFolder, absent, limits);
    }

    /** The same with these limits in its plan, if it has one. */
    public ReplicateRequest withLimitsOfPlan(SendLimits sending) {
        return plan == null
                ? this
                : with(destination, losses, new PlanTerms(sending, plan.network()), stateFolder, absent, limits);
    }

    /** The same with other names of the sources. */
    public ReplicateRequest withSources(List<String> newSources) {
        return new ReplicateRequest(
                newSources,
                selection,
                destination,
                channel,
                losses,
                deadline,
                format,
                reportFile,
                metrics,
                plan,
                restart,
                checksum,
                fsync,
                stateFolder,
                absent,
                limits);
    }

    /** The same with records of complete copies elsewhere. */
    public ReplicateRequest withStateFolder(@Nullable Path newStateFolder) {
        return with(destination, losses, plan, newStateFolder, absent, limits);
    }

    /** The same on a machine with these limits. */
    public ReplicateRequest withLimits(ReceivingLimits newLimits) {
        return with(destination, losses, plan, stateFolder, absent, newLimits);
    }

    /**
     * The same without some nodes.
     *
     * @param newLosses that count with the nodes that are left
     */
    public ReplicateRequest without(List<AbsentNode> newAbsent, LossPolicy newLosses) {
        return with(destination, newLosses, plan, stateFolder, newAbsent, limits);
    }

    private ReplicateRequest with(
            String newDestination,
            LossPolicy newLosses,
            @Nullable PlanTerms newPlan,
            @Nullable Path newStateFolder,
            List<AbsentNode> newAbsent,
            ReceivingLimits newLimits) {
        return new ReplicateRequest(
                sources,
                selection,
                newDestination,
                channel,
                newLosses,
                deadline,
                format,
                reportFile,
                metrics,
                newPlan,
                restart,
                checksum,
                fsync,
                newStateFolder,
                newAbsent,
                newLimits);
    }
}
