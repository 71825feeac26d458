package org.robber.transport.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.mesh.Meetings;
import org.robber.transport.rendezvous.BlockingCalls;

/** Calls of one of many members, all of which do the same. */
class ManyNodesTest {
    /** Meetings that are under way, by what each member says in them. */
    private final Map<Long, byte[]> payloads = new TreeMap<>();

    private final Map<Long, CompletableFuture<List<byte[]>>> meetings = new TreeMap<>();

    private CallRunner runner(int size) {
        Topology topology = Topology.ofSizes(size);
        return new CallRunner(
                new Membership(
                        Group.world(size),
                        0,
                        topology,
                        new BlockingCalls(0, failure -> {}),
                        failure -> {
                            throw failure;
                        },
                        rank -> "rank " + rank),
                () -> new Meetings() {
                    @Override
                    public CompletableFuture<List<byte[]>> meet(Group group, long number, String call, byte[] payload) {
                        assertThat((long) payload.length * size).isLessThanOrEqualTo(Meetings.MOST_BYTES);
                        payloads.put(number, payload);
                        return meetings.computeIfAbsent(number, any -> new CompletableFuture<>());
                    }

                    @Override
                    public CompletableFuture<Map<Integer, ByteBuffer>> deliver(
                            Group group, long number, String call, PersonalPayloads personal) {
                        throw new AssertionError("nothing is delivered in " + call);
                    }
                },
                new InstantExchanges(topology),
                Runnable::run);
    }

    /** The counts of all pairs are more than one meeting carries. */
    @Test
    void anAllToAllByCountsOfHundredsOfNodes() {
        int size = 500;
        byte[] out = {1, 2};
        byte[] in = new byte[2 * size];
        int[] outCounts = new int[size];
        outCounts[0] = 2;
        int[] inCounts = new int[size];
        Arrays.fill(inCounts, 2);
        Operation<Void> call =
                new CountedCalls(runner(size)).allToAll(out, Parts.of(outCounts), in, Parts.of(inCounts));
        int met = 0;
        while (!call.test()) {
            long number = Collections.max(payloads.keySet());
            byte[] said = payloads.remove(number);
            assertThat(said).as("a meeting after %s others", met++).isNotNull();
            meetings.get(number).complete(Collections.nCopies(size, said));
        }
        assertThat(met).as("two of counts, one of data").isEqualTo(3);
        for (int from = 0; from < size; from++) {
            assertThat(in[2 * from]).isEqualTo((byte) 1);
            assertThat(in[2 * from + 1]).isEqualTo((byte) 2);
        }
    }

    @Test
    void moreBlocksThanThereMayBePieces() {
        int size = 4100;
        assertThatThrownBy(() -> new ReductionCalls(runner(size)).reduceScatter(new int[size], new int[1], Op.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reduceScatter among 4100 nodes needs too many pieces")
                .hasMessageContaining("allReduce needs fewer");
        assertThat(payloads).as("nothing was sent").isEmpty();

        new ReductionCalls(runner(size)).allReduce(new int[size], new int[size], Op.SUM);
        assertThat(payloads).as("what the message says is possible").hasSize(1);
    }
}
