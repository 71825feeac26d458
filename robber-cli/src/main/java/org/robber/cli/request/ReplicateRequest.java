package org.robber.cli.request;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.stream.StreamTarget;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;

/**
 * A job of {@code robber-cli replicate}; the same on every node but for placeholders in the destination.
 *
 * @param source what to copy
 * @param destination where to, as the user wrote it, with placeholders; empty at a rank 0 that only reads the source
 * @param channel how to copy it
 * @param losses what the job does if nodes are lost
 * @param deadline when to give up, or null
 * @param report what rank 0 says of it
 * @param plan not null if the job only says what would be done
 * @param copying what each node does with its copy
 * @param limits what this node lets others write on its machine
 */
public record ReplicateRequest(
        SourceTerms source,
        String destination,
        ChannelOptions channel,
        LossPolicy losses,
        @Nullable TimeLimit deadline,
        ReportTerms report,
        @Nullable PlanTerms plan,
        CopyRules copying,
        ReceivingLimits limits)
        implements JobRequest {

    /**
     * Refuses several roots with a strategy that cannot do that.
     *
     * @throws RobberException with {@code USAGE}
     */
    public void checkStrategy() {
        if (source.isStriped() && strategy().needsSingleRoot()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "strategy " + strategy().name() + " multicasts from one root only: leave out --root or --strategy");
        }
    }

    private MulticastStrategy strategy() {
        return Strategies.byName(channel.strategy(), channel.bandwidths());
    }

    /** Whether only to say what would be done. */
    public boolean dryRun() {
        return plan != null;
    }

    /** The same with another destination. */
    public ReplicateRequest withDestination(String newDestination) {
        return new ReplicateRequest(source, newDestination, channel, losses, deadline, report, plan, copying, limits);
    }

    /** The same with another source. */
    public ReplicateRequest withSource(SourceTerms newSource) {
        return new ReplicateRequest(newSource, destination, channel, losses, deadline, report, plan, copying, limits);
    }

    /** The same with records of complete copies elsewhere. */
    public ReplicateRequest withStateFolder(@Nullable Path folder) {
        return new ReplicateRequest(
                source, destination, channel, losses, deadline, report, plan, copying.withStateFolder(folder), limits);
    }

    /** The same on a machine with these limits. */
    public ReplicateRequest withLimits(ReceivingLimits newLimits) {
        return new ReplicateRequest(source, destination, channel, losses, deadline, report, plan, copying, newLimits);
    }

    private ReplicateRequest withAbsent(List<AbsentNode> absent, LossPolicy newLosses) {
        return new ReplicateRequest(
                source, destination, channel, newLosses, deadline, report.without(absent), plan, copying, limits);
    }

    @Override
    public boolean readsStandardInput() {
        return source.first().equals(StreamTarget.STANDARD);
    }

    @Override
    public boolean goesOnWithout(int absent, int size) {
        return absent == 0 || (!dryRun() && losses.goesOn() && size - absent >= losses.fewest(size));
    }

    @Override
    public ReplicateRequest without(List<AbsentNode> absent, int size) {
        MinSuccess wanted = losses.minSuccess() == null ? null : new MinSuccess(losses.wanted(size), false);
        return absent.isEmpty() ? this : withAbsent(absent, new LossPolicy(losses.onFailure(), wanted));
    }

    /** Where rank 0 has a part of the source, it gets a copy of all parts. */
    @Override
    public ReplicateRequest atSource(@Nullable String host) {
        return source.isStriped() && host != null ? named(host) : withDestination("");
    }

    private ReplicateRequest named(String host) {
        return withDestination(DestinationPattern.ofHost(destination, host)).withSource(source.onHost(host));
    }

    @Override
    public @Nullable Path reportFile() {
        return report.file();
    }

    /** A source is never removed. Nobody knows yet what places of several sources are called. */
    @Override
    public void removeEarlierReport() {
        if (!source.isStriped() && !report.isOneOf(source.paths())) {
            JobRequest.super.removeEarlierReport();
        }
    }

    @Override
    public boolean needs(int rank) {
        return source.isRoot(rank);
    }

    @Override
    public ReplicateRequest onHost(String host) {
        return withAbsent(List.of(), losses).named(host);
    }

    @Override
    public String settings() {
        MulticastStrategy strategy = strategy();
        // Apart from the strategy, so that a reader of a difference sees which of the two it is.
        String how = strategy.usesBandwidths() && !channel.bandwidths().isUnknown()
                ? strategy.name() + " --bandwidths=" + channel.bandwidths().digest()
                : strategy.fingerprint();
        return "replicate --strategy=" + how + " --piece-size=" + channel.pieceBytes() + " --digest="
                + channel.digest() + (losses.goesOn() ? "" : " --on-failure=abort")
                + (losses.minSuccess() == null ? "" : " --min-success=" + losses.minSuccess())
                + (dryRun() ? " --dry-run" : "") + (copying.restart() ? " --restart" : "")
                + (copying.checksum() ? " --checksum" : "")
                + (source.selection().deletes() ? " --delete" : "")
                + (source.isAtRankZero() ? "" : " --root=" + source.rootsText());
    }
}
