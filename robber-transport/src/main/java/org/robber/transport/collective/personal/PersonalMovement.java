package org.robber.transport.collective.personal;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;

/**
 * A movement in steps, each of which is a movement of its own.
 *
 * @param whole the movement
 * @param steps the parts of each step
 */
record PersonalMovement(Movement whole, ImmutableList<PersonalParts> steps) implements PersonalSteps {

    /**
     * The steps of a movement: parts that some want go to them directly, and parts that all want enter each cluster once.
     *
     * @param mostBytes that all messages of a step have together
     * @param mostBytesForAll that one cluster has for another, if there are parts that all want
     * @param mostBytesForOne the same of other movements
     * @return null if there are more bytes, or parts of several owners
     */
    static @Nullable PersonalMovement of(
            Movement movement, Topology topology, long mostBytes, long mostBytesForAll, long mostBytesForOne) {
        boolean isForAll = movement.parts().stream().anyMatch(part -> part.wanters() == null);
        if (movement.parts().stream().anyMatch(part -> part.owners().size() > 1)
                || bytesBetweenClusters(movement, topology) > (isForAll ? mostBytesForAll : mostBytesForOne)) {
            return null;
        }
        HierarchicalBcast bcast = isForAll ? new HierarchicalBcast(movement, topology) : null;
        PersonalMovement steps = new PersonalMovement(
                movement,
                bcast == null
                        ? ImmutableList.of(new PersonalParts(movement))
                        : ImmutableList.of(new PersonalParts(bcast.outside()), new PersonalParts(bcast.inside())));
        return steps.steps.stream().allMatch(step -> step.fit(mostBytes)) ? steps : null;
    }

    /** The most that one cluster has for another. */
    private static long bytesBetweenClusters(Movement movement, Topology topology) {
        int clusters = topology.clusterCount();
        Map<Integer, Long> ofPairs = new HashMap<>();
        for (Part part : movement.parts()) {
            int from = topology.clusterOf(part.owners().get(0));
            ImmutableList<Integer> wanters = part.wanters();
            IntStream receivers = wanters == null
                    ? IntStream.range(0, clusters)
                    : wanters.stream().mapToInt(topology::clusterOf);
            receivers
                    .filter(to -> to != from)
                    .forEach(to -> ofPairs.merge(from * clusters + to, part.sizeBytes(), Long::sum));
        }
        return ofPairs.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public int count() {
        return steps.size();
    }

    @Override
    public PersonalPayloads payloads(int step) {
        return steps.get(step).payloads();
    }

    @Override
    public void take(int step, Map<Integer, ByteBuffer> received) {
        steps.get(step).place(received);
        if (step == count() - 1) {
            whole.copyOwn();
        }
    }
}
