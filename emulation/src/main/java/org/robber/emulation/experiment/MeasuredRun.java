package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;

/**
 * A run and its figures.
 *
 * @param run the result
 * @param bound the bound of its scenario, for its size of data
 * @param deadlineSeconds time within which it must be complete to succeed; infinite if there is no deadline
 */
public record MeasuredRun(RunResult run, Bound bound, double deadlineSeconds) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_GIGABYTE = 1e9;

    /** A run without a deadline. */
    public MeasuredRun(RunResult run, Bound bound) {
        this(run, bound, Double.POSITIVE_INFINITY);
    }

    /** The outcome of a run. */
    public enum Status {
        /** Every node has everything, in time. */
        COMPLETE,
        /** Every node has everything, after the deadline. */
        LATE,
        /** Some node lacks something. */
        INCOMPLETE
    }

    /** Its outcome. */
    public Status status() {
        if (!run.isComplete()) {
            return Status.INCOMPLETE;
        }
        return seconds() > deadlineSeconds ? Status.LATE : Status.COMPLETE;
    }

    /** Whether every node has everything, in time: such runs alone count for means. */
    public boolean isSuccess() {
        return status() == Status.COMPLETE;
    }

    /** From the start to the last node's last verified piece; NaN if not every node has everything. */
    public double seconds() {
        return run.isComplete() && run.nanos() >= 0 ? run.nanos() / NANOS_PER_SECOND : Double.NaN;
    }

    /** Goodput: size of the data over time; NaN if not every node has everything, or no time passed. */
    public double bytesPerSecond() {
        return seconds() > 0 ? run.dataBytes() / seconds() : Double.NaN;
    }

    /** The same of each job beside it. */
    public ImmutableList<Double> besideBytesPerSecond() {
        return run.besideNanos().stream()
                .map(nanos -> nanos > 0 ? run.dataBytes() / (nanos / NANOS_PER_SECOND) : Double.NaN)
                .collect(ImmutableList.toImmutableList());
    }

    /** Throughput in relation to that of the adapting optimum: 1 is all there is; NaN if unknown. */
    public double shareOfAdapt() {
        return share(bound.adaptSeconds());
    }

    /** Throughput in relation to that of the optimum that knows the future; NaN if unknown. */
    public double shareOfStore() {
        return share(bound.storeSeconds());
    }

    private double share(double boundSeconds) {
        return seconds() > 0 ? boundSeconds / seconds() : Double.NaN;
    }

    /** WAN copies of the cluster that most entered, of those that data have to enter; 0 if there is only one cluster. */
    public double mostWanCopies() {
        double most = 0;
        for (int cluster = 0; cluster < run.scenario().clusters().size(); cluster++) {
            if (!bound.call().isAllIn(run.scenario(), cluster)) {
                most = Math.max(most, run.wanCopies(cluster));
            }
        }
        return most;
    }

    /** Everything sent that is not data, by all nodes. */
    public long controlBytes() {
        return run.nodes().stream().mapToLong(NodeRun::controlBytes).sum();
    }

    /** Control bytes in relation to the data that all nodes received; NaN if that is unknown. */
    public double controlShare() {
        long received = receivedBytes();
        return received == 0 ? Double.NaN : (double) controlBytes() / received;
    }

    /**
     * Network overhead: bytes sent beyond those that nodes have to receive, in relation to these. Duplicate pieces and
     * control messages count; 0 is ideal. NaN if the run is incomplete or has no counts.
     */
    public double overhead() {
        double needed = neededBytes();
        long received = receivedBytes();
        // A part may have a piece more than its exact share, which its owner then need not receive.
        boolean isCounted = received > 0 && received + run.pieceBytes() >= needed;
        return run.isComplete() && needed > 0 && isCounted
                ? (Math.max((double) received, needed) + controlBytes()) / needed - 1
                : Double.NaN;
    }

    /** Processor time of all nodes' processes, or the simulated processor time; NaN if it was not measured. */
    public double cpuSeconds() {
        return run.cpuNanos() < 0 ? Double.NaN : run.cpuNanos() / NANOS_PER_SECOND;
    }

    /** The same for each 10^9 bytes that a receiver got; NaN if not every node has everything, or it was not measured. */
    public double cpuSecondsPerGigabyte() {
        double needed = neededBytes();
        return run.isComplete() && needed > 0 ? cpuSeconds() / (needed / BYTES_PER_GIGABYTE) : Double.NaN;
    }

    /** The bytes that all nodes have to receive together, at least; NaN if unknown. */
    public double neededBytes() {
        return run.dataBytes() * bound.neededCopies();
    }

    private long receivedBytes() {
        return run.nodes().stream()
                .mapToLong(node -> node.localBytes() + node.outsideBytes())
                .sum();
    }

    /** Pieces that nodes received from other clusters. */
    public long stolenPieces() {
        return run.nodes().stream().mapToLong(NodeRun::stolenPieces).sum();
    }

    /** The longest recovery of a link; NaN if there was none, or one had not recovered at the end. */
    public double recoverySeconds() {
        double longest = Double.NaN;
        for (Recovery recovery : run.recoveries()) {
            if (recovery.nanos() < 0) {
                return Double.NaN;
            }
            double seconds = recovery.nanos() / NANOS_PER_SECOND;
            longest = Double.isNaN(longest) ? seconds : Math.max(longest, seconds);
        }
        return longest;
    }

    /** The node that was the last to have everything, or -1 if a node never had. */
    public int slowestRank() {
        int slowest = -1;
        long last = -1;
        for (NodeRun node : run.nodes()) {
            if (node.completeNanos() < 0) {
                return -1;
            }
            if (node.completeNanos() > last) {
                last = node.completeNanos();
                slowest = node.rank();
            }
        }
        return slowest;
    }
}
