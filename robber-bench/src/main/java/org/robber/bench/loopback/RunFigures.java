package org.robber.bench.loopback;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The result of one run of one contender.
 *
 * @param seconds from the sender's start, when all are connected, to the last receiver's last byte
 * @param openSeconds how much of that passed until all had opened their channel; of no meaning for plain copies
 * @param secondsFromLaunch from the launch of the first process to the last receiver's last byte: the start of all
 *     processes, and where data is kept in buffers their filling, included
 * @param gigabytesPerSecond bytes delivered per second, summed over the receivers, in 10^9
 * @param transferCpuSeconds CPU time of all processes from when they were ready, per delivered gigabyte
 * @param processCpuSeconds CPU time of all processes from their launch, per delivered gigabyte
 * @param controlShare bytes sent that are not data / bytes of data
 * @param messagesPerPiece messages sent by all, heads of pieces among them / pieces received by all
 * @param wanCopies bytes that entered a cluster other than the root's / size of the data, the mean over these clusters
 * @param rootResidentBytes the most memory of the sender
 * @param receiverResidentBytes the most memory of any receiver
 */
record RunFigures(
        double seconds,
        double openSeconds,
        double secondsFromLaunch,
        double gigabytesPerSecond,
        double transferCpuSeconds,
        double processCpuSeconds,
        double controlShare,
        double messagesPerPiece,
        double wanCopies,
        long rootResidentBytes,
        long receiverResidentBytes) {

    private static final double GIGA = 1e9;

    /**
     * Adds up what the processes of one run report.
     *
     * @param deliveredPieces how many pieces the receivers have got together
     * @param launchedNanos time of day when the first process was launched
     * @param clusters how many clusters there were; 1 for plain copies
     * @param root report of the sender
     * @param receivers reports of the receivers
     */
    static RunFigures of(
            LoopbackCase one,
            long deliveredPieces,
            long launchedNanos,
            int clusters,
            NodeReport root,
            List<NodeReport> receivers) {
        long finishedNanos = max(receivers, NodeReport::finishedNanos);
        double seconds = (finishedNanos - root.startedNanos()) / GIGA;
        double delivered = sum(receivers, NodeReport::receivedBytes);
        if (delivered != one.deliveredBytes()) {
            throw new IllegalStateException("delivered " + delivered + " instead of " + one.deliveredBytes());
        }
        return new RunFigures(
                seconds,
                (max(receivers, NodeReport::openedNanos) - root.startedNanos()) / GIGA,
                (finishedNanos - launchedNanos) / GIGA,
                delivered / GIGA / seconds,
                (root.transferCpuNanos() + sum(receivers, NodeReport::transferCpuNanos)) / delivered,
                (root.processCpuNanos() + sum(receivers, NodeReport::processCpuNanos)) / delivered,
                (root.controlBytes() + sum(receivers, NodeReport::controlBytes)) / delivered,
                (root.messages() + sum(receivers, NodeReport::messages)) / deliveredPieces,
                clusters < 2 ? 0 : sum(receivers, NodeReport::receivedWanBytes) / (clusters - 1.0) / one.sizeBytes(),
                root.peakResidentBytes(),
                max(receivers, NodeReport::peakResidentBytes));
    }

    private static long max(List<NodeReport> reports, ToLongFunction<NodeReport> value) {
        return reports.stream().mapToLong(value).max().orElseThrow();
    }

    private static double sum(List<NodeReport> reports, ToLongFunction<NodeReport> value) {
        return reports.stream().mapToLong(value).sum();
    }
}
