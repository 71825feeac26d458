package org.robber.cli.replicate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.NodeFailure;
import org.robber.cli.report.NodeResult;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.source.SourceScan;

/**
 * At rank 0: the nodes that are lost, the phase in which each was lost, and whether enough nodes are left. Other ranks track
 * nothing. Thread-safe.
 */
final class LossTracker {

    private static final long UNKNOWN = -1;

    private final Communicator world;
    private final LossPolicy policy;
    private final NodeOutput output;
    private final Supplier<String> phase;
    private final SourceTerms source;
    private final Map<Integer, NodeResult> lost = new TreeMap<>();

    private long totalBytes = UNKNOWN;
    private long unchangedBytes;
    private boolean commits;

    /**
     * Of a job that has begun.
     *
     * @param phase what the job is doing
     * @param source which nodes have it
     */
    LossTracker(Communicator world, LossPolicy policy, NodeOutput output, Supplier<String> phase, SourceTerms source) {
        this.source = source;
        this.world = world;
        this.policy = policy;
        this.output = output;
        this.phase = phase;
    }

    /** From now on the job goes on without nodes that are lost, if that is wanted. */
    void watch() {
        if (world.rank() != 0) {
            return;
        }
        if (policy.goesOn()) {
            world.control().goOnWithoutLost();
        }
        world.onLost(this::lost);
    }

    /**
     * The transfer of so many bytes begins.
     *
     * @param unchanged the bytes of files that all nodes have already
     */
    synchronized void transferring(long bytes, long unchanged) {
        totalBytes = bytes;
        unchangedBytes = unchanged;
    }

    /** All that are left have everything, and will show it: who is lost from now on may have done so. */
    synchronized void committing() {
        commits = true;
    }

    private void lost(int rank, RobberException why) {
        RobberException tooFew;
        synchronized (this) {
            if (lost.containsKey(rank)) {
                return;
            }
            // a node that gives up reports its phase; for other nodes, the phase of rank 0 is known
            String when = JobWatch.PHASES.contains(why.phase()) ? why.phase() : phase.get();
            NodeFailure failure = new NodeFailure(why.reason(), when, FailureText.of(why));
            lost.put(rank, NodeResult.lost(verifiedBytes(rank), commits ? failure.inDoubt() : failure));
            tooFew = source.isRoot(rank) && !commits
                    ? SourceScan.lost(world, rank, when, ": " + FailureText.of(why))
                    : tooFew();
        }
        output.lost(rank);
        if (tooFew != null) {
            world.fail(tooFew);
        }
    }

    /** How much of the data this node has, as far as is known. */
    synchronized long verifiedBytes(int rank) {
        return totalBytes == UNKNOWN ? 0 : unchangedBytes + transferredBytes(rank);
    }

    private long transferredBytes(int rank) {
        return source.isRoot(rank) && !source.isStriped()
                ? totalBytes
                : Math.min(totalBytes, world.control().bytesDone(rank));
    }

    /** The last known result of each lost node. */
    synchronized Map<Integer, NodeResult> lost() {
        return new TreeMap<>(lost);
    }

    /** Why the job ends if so few are left that it is of no use; once copies are shown, their number decides. */
    private @Nullable RobberException tooFew() {
        int left = world.size() - lost.size();
        if (commits || !policy.goesOn() || left >= policy.fewest(world.size())) {
            return null;
        }
        List<Integer> ranks = List.copyOf(lost.keySet());
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        List<String> messages = new ArrayList<>();
        lost.values().forEach(result -> {
            NodeFailure failure = result.failure();
            if (failure != null) {
                reasons.add(failure.reason());
                messages.add(failure.message());
            }
        });
        if (left == 1) {
            // a reason that all have in common says most
            Reason reason = reasons.size() == 1 ? reasons.iterator().next() : Reason.NETWORK;
            return failure(reason, ranks, "all nodes but the root are lost: ", messages);
        }
        return failure(
                Reason.NETWORK,
                ranks,
                "only " + left + " of " + world.size() + " nodes can complete, and --min-success=" + policy.minSuccess()
                        + " asks for " + policy.fewest(world.size()) + "; lost: ",
                messages);
    }

    private RobberException failure(Reason reason, List<Integer> ranks, String what, List<String> messages) {
        return new RobberException(
                reason, ranks, phase.get(), what + FailureText.nodes(world, ranks) + "; the first: " + messages.get(0));
    }

    /**
     * The deadline has passed. If enough nodes have everything, they put their copies in place, and the job ends for the others;
     * else it ends for all. Where nothing is to be transferred any more, they are left to end.
     */
    void deadlinePassed(Duration length) {
        String now = phase.get();
        List<Integer> late = new ArrayList<>();
        if (world.control().dropJoiners(passed(length, List.of(), now))) {
            // Without them, the job would have ended long ago.
            return;
        }
        synchronized (this) {
            if (commits) {
                return;
            }
            for (int rank = 0; rank < world.size() && totalBytes != UNKNOWN; rank++) {
                if (!lost.containsKey(rank) && transferredBytes(rank) < totalBytes) {
                    late.add(rank);
                }
            }
            int left = world.size() - lost.size() - late.size();
            boolean enough = world.size() > 1 && left >= policy.fewest(world.size());
            if (policy.goesOn()
                    && totalBytes != UNKNOWN
                    && enough
                    && late.stream().noneMatch(this::isNeeded)) {
                world.control().expel(late, passed(length, late, now));
                return;
            }
        }
        world.fail(passed(length, late.isEmpty() ? world.control().absent() : late, now));
    }

    /**
     * Some time after {@link #deadlinePassed}, the job has not ended. If it waits for other nodes, it ends without them. If rank 0
     * itself takes its time, the job may still go on.
     */
    void overdue(Duration length) {
        List<Integer> absent =
                world.control().absent().stream().filter(rank -> rank != 0).toList();
        if (absent.isEmpty()) {
            return;
        }
        RobberException why = passed(length, absent, phase.get());
        if (goesOnWithout(absent)) {
            world.control().expel(absent, why);
        } else {
            world.fail(why);
        }
    }

    private synchronized boolean goesOnWithout(List<Integer> absent) {
        return commits
                || (policy.goesOn()
                        && absent.stream().noneMatch(this::isNeeded)
                        && world.size() - lost.size() - absent.size() >= policy.fewest(world.size()));
    }

    /** Without this node the job ends, unless copies are shown already. */
    private boolean isNeeded(int rank) {
        return rank == 0 || source.isRoot(rank);
    }

    private RobberException passed(Duration length, List<Integer> late, String now) {
        return new RobberException(
                Reason.DEADLINE,
                late,
                now,
                "the deadline of " + length.toSeconds() + " s has passed during '" + now + "'"
                        + (late.isEmpty() ? "" : "; not done: " + FailureText.nodes(world, late)));
    }
}
