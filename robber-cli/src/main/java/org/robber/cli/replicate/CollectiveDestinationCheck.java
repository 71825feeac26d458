package org.robber.cli.replicate;

import com.google.common.primitives.Longs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.plan.Deletion;
import org.robber.cli.progress.ByteText;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.Root;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.storage.copy.TreeTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks before the first write that the destinations of all nodes do not conflict, and that they have room for the data. */
final class CollectiveDestinationCheck {

    private static final Logger LOG = LoggerFactory.getLogger(CollectiveDestinationCheck.class);

    /** The message of a node that has opened its target. */
    private static final int TOLD_BYTES = 3 * Long.BYTES;

    private static final long NOT_LOOKED = -1;

    private final ReplicateRequest request;
    private final Communicator world;
    private final FailureReporter reporter;

    /** Of all nodes at rank 0, by rank; elsewhere empty. */
    private List<DestinationInfo> places = List.of();

    /** At rank 0, what each node needs room for, by rank. */
    private final long[] neededBytes;

    CollectiveDestinationCheck(ReplicateRequest request, Communicator world, FailureReporter reporter) {
        this.request = request;
        this.world = world;
        this.reporter = reporter;
        this.neededBytes = new long[world.size()];
    }

    /**
     * Finds nodes that would write to one place.
     *
     * @return at rank 0 the places of all, by rank; elsewhere an empty list
     */
    List<DestinationInfo> comparePlaces(@Nullable Root root, String destination) {
        if (root != null) {
            reporter.doHere(
                    Reason.USAGE,
                    () -> root.keepSourceIfAt(destination, request.destination().isEmpty()));
        }
        String host = world.hostName(world.rank());
        checkPlace(destination);
        DestinationInfo mine = reporter.here(
                Reason.DESTINATION,
                () -> root != null && root.keepsSource()
                        ? DestinationInfo.ofSource(host, Path.of(destination))
                        : DestinationInfo.of(host, Path.of(destination))
                                .keeping(request.limits().keepFreeBytes()));
        byte[] told = world.control().agree(mine.toBytes(), this::placesForOthers);
        List<DestinationInfo> all = request.source().isAtRankZero() ? places : DestinationInfo.listFromBytes(told);
        if (root != null) {
            reporter.doHere(Reason.USAGE, () -> {
                List<String> sources = request.source().pathsAt(world);
                DestinationChecks.check(
                        all, names(world), DestinationChecks.sourceTrees(sources), world.rank(), root.keepsSource());
                if (request.source().selection().deletes()) {
                    DestinationChecks.sourcePlaces(sources)
                            .forEach(place -> Deletion.check(all, names(world), place, world.rank(), root));
                }
            });
        }
        return places;
    }

    /** Where another node than rank 0 has the source, only that knows where its folders really are. */
    private byte[] placesForOthers(List<byte[]> told) {
        places = told.stream()
                .map(place -> place.length == 0 ? DestinationInfo.ofNone() : DestinationInfo.fromBytes(place))
                .toList();
        return request.source().isAtRankZero() ? new byte[0] : DestinationInfo.toBytes(places);
    }

    /** Refuses a place that this machine does not allow. */
    void checkPlace(String destination) {
        reporter.doHere(Reason.DESTINATION, () -> request.limits().checkPlace(destination));
    }

    /**
     * Finds out what nodes have from an earlier run or copy. Checks before the first byte that there is room for the rest, together
     * with the parts that were compared before.
     *
     * @param target null at a node that writes no copy
     * @param layout the pieces in which the data would come
     * @param source rank of the node that has the data
     * @param mayCut whether the size of pieces is free
     */
    Start compareLeftovers(@Nullable TreeTarget target, PieceLayout layout, int source, boolean mayCut) {
        long totalBytes = layout.totalBytes();
        long mine = target == null ? totalBytes : target.verifiedBytes();
        long former =
                target == null || request.copying().restart() ? 0 : Math.min(totalBytes - mine, target.formerBytes());
        byte[] payload = ByteBuffer.allocate(TOLD_BYTES)
                .putLong(mine)
                .putLong(former)
                .putLong(target == null ? NOT_LOOKED : DestinationInfo.freeBytes(target.directory()))
                .array();
        return Start.fromBytes(world.control()
                .agree(payload, told -> start(told, layout, source, mayCut).toBytes()));
    }

    /** Rank 0 decides how to start from the leftovers of all. */
    private Start start(List<byte[]> told, PieceLayout layout, int source, boolean mayCut) {
        long totalBytes = layout.totalBytes();
        List<Long> formerBytes = new ArrayList<>();
        List<DestinationInfo> now = new ArrayList<>();
        long reusedBytes = 0;
        for (int rank = 0; rank < told.size(); rank++) {
            boolean there = told.get(rank).length > 0;
            ByteBuffer one = ByteBuffer.wrap(there ? told.get(rank) : new byte[TOLD_BYTES]);
            long verifiedBytes = there ? one.getLong() : totalBytes;
            long maybeBytes = one.getLong();
            long freeBytes = there ? one.getLong() : NOT_LOOKED;
            // Leftovers of an earlier run may be gone since the places were compared.
            now.add(
                    freeBytes == NOT_LOOKED
                            ? places.get(rank)
                            : places.get(rank).withFreeBytes(freeBytes));
            // A lost node needs no room any more, for the parts before this one either.
            neededBytes[rank] = there ? neededBytes[rank] + totalBytes - verifiedBytes - maybeBytes : 0;
            if (rank != source && there) {
                reusedBytes += verifiedBytes;
                formerBytes.add(maybeBytes);
            }
        }
        places = now;
        checkSpace();
        if (reusedBytes > 0) {
            LOG.debug("{} are there from an earlier run", ByteText.bytes(reusedBytes));
        }
        return Start.of(reusedBytes > 0, formerBytes, layout, mayCut);
    }

    /** When this returns at rank 0, all nodes have called it, or are lost. */
    void awaitAll() {
        List<byte[]> all = world.control().gather(new byte[] {1});
        LOG.debug("{} nodes have compared what they have", all.size());
    }

    /** Nodes that have no room are of no use. If rank 0 or a node with the source is one of them, the job ends. */
    private void checkSpace() {
        for (RobberException shortage : DestinationChecks.shortages(places, names(world), Longs.asList(neededBytes))) {
            boolean dispensable =
                    !shortage.ranks().contains(0) && shortage.ranks().stream().noneMatch(request.source()::isRoot);
            if (request.losses().goesOn() && dispensable) {
                world.control().expel(shortage.ranks(), shortage);
            } else {
                throw shortage;
            }
        }
    }

    static List<String> names(Communicator world) {
        return IntStream.range(0, world.size()).mapToObj(world::nodeName).toList();
    }
}
