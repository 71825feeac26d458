package org.robber.emulation.experiment;

import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;

/**
 * A run and what its figures mean.
 *
 * @param run what happened
 * @param bound the bound of its scenario, for its size of data
 */
public record MeasuredRun(RunResult run, Bound bound) {

    private static final double NANOS_PER_SECOND = 1e9;

    /** From the start to the last node's last verified piece; NaN if not every node has everything. */
    public double seconds() {
        return run.isComplete() && run.nanos() >= 0 ? run.nanos() / NANOS_PER_SECOND : Double.NaN;
    }

    /** Size of the data over time; NaN if not every node has everything, or no time passed. */
    public double bytesPerSecond() {
        return seconds() > 0 ? run.dataBytes() / seconds() : Double.NaN;
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

    /** WAN copies of the cluster, other than the root's, that most entered; 0 if there is only one cluster. */
    public double mostWanCopies() {
        double most = 0;
        for (int cluster = 0; cluster < run.scenario().clusters().size(); cluster++) {
            if (cluster != run.scenario().root().cluster()) {
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
        long received = run.nodes().stream()
                .mapToLong(node -> node.localBytes() + node.outsideBytes())
                .sum();
        return received == 0 ? Double.NaN : (double) controlBytes() / received;
    }

    /** Pieces that nodes received from other clusters. */
    public long stolenPieces() {
        return run.nodes().stream().mapToLong(NodeRun::stolenPieces).sum();
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
