package org.robber.transport.collective.personal;

import com.google.common.collect.ImmutableList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;
import org.robber.transport.collective.data.Region;

/**
 * Parts that all want, in two steps: each goes to some members of each cluster, its carriers, which then send what they have of it to their mates. So it crosses each line
 * once, and only one step has to wait for lines. A part with most of the data has several carriers, with a slice each, so that none sends it to all others alone. In one cluster it is the scatter and
 * allGather of van de Geijn.
 */
final class HierarchicalBcast {
    private final Movement movement;
    private final Topology topology;
    private final long totalBytes;
    private final ImmutableList.Builder<Part> outside = ImmutableList.builder();
    private final ImmutableList.Builder<Part> inside = ImmutableList.builder();

    /** @param topology the clusters of the members */
    HierarchicalBcast(Movement movement, Topology topology) {
        this.movement = movement;
        this.topology = topology;
        this.totalBytes = movement.totalBytes();
        for (Part part : movement.parts()) {
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                add(part, cluster);
            }
        }
    }

    private void add(Part part, int cluster) {
        int owner = part.owners().get(0);
        int[] members = topology.members(cluster);
        boolean isMost = part.sizeBytes() >= totalBytes / 2;
        int count = isMost
                ? (int) Math.max(1, Math.min(members.length, part.sizeBytes() / PersonalSteps.LEAST_SLICE_BYTES))
                : 1;
        if (count == 1 && cluster == topology.clusterOf(owner)) {
            outside.add(part(part.sizeBytes(), owner, without(members, owner, owner), part.place()));
            return;
        }
        for (int slice = 0; slice < count; slice++) {
            int carrier = members[(topology.indexInCluster(owner) + slice) % members.length];
            VectorRange range = VectorRange.of(0, part.sizeBytes()).slice(slice, count);
            Region place = part.place();
            Region region = place == null ? null : place.part(range.from(), range.size());
            outside.add(part(range.size(), owner, ImmutableList.of(carrier), region));
            inside.add(part(range.size(), carrier, without(members, carrier, owner), region));
        }
    }

    private static ImmutableList<Integer> without(int[] members, int one, int other) {
        return IntStream.of(members)
                .filter(each -> each != one && each != other)
                .boxed()
                .collect(ImmutableList.toImmutableList());
    }

    private Part part(long bytes, int owner, ImmutableList<Integer> wanters, @Nullable Region region) {
        boolean isOwner = movement.rank() == owner;
        return new Part(
                bytes,
                ImmutableList.of(owner),
                wanters,
                isOwner ? region : null,
                !isOwner && wanters.contains(movement.rank()) ? region : null);
    }

    /** To carriers, and small parts to mates of the owner. */
    Movement outside() {
        return new Movement(movement.rank(), movement.size(), outside.build());
    }

    /** From carriers to their mates. */
    Movement inside() {
        return new Movement(movement.rank(), movement.size(), inside.build());
    }
}
