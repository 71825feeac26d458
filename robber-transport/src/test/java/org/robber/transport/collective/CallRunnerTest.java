package org.robber.transport.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.mesh.Meetings;
import org.robber.transport.rendezvous.BlockingCalls;

/** What one of two members does when meetings end in any order. */
class CallRunnerTest {
    private static final int LARGE = 100_000;

    /** Meetings of calls by number, which the test ends. */
    private final Map<Long, CompletableFuture<List<byte[]>>> meetings = new TreeMap<>();

    /** Deliveries in the order in which they begin, which the test ends. */
    private final List<CompletableFuture<Map<Integer, ByteBuffer>>> deliveries = new ArrayList<>();

    private final List<Long> exchanges = new ArrayList<>();
    private final List<CompletableFuture<?>> watchedParts = new ArrayList<>();
    private final List<RobberException> failuresOfJob = new ArrayList<>();

    private Executor blocking = Runnable::run;
    private long mostPersonalBytes;

    /** Completes when the exchanges of earlier calls are over. */
    private CompletableFuture<Void> earlierExchanges = CompletableFuture.completedFuture(null);

    private final CallRunner runner = new CallRunner(
            new Membership(
                    Group.world(2),
                    0,
                    Topology.ofSizes(2),
                    new BlockingCalls(0, failure -> {}),
                    failuresOfJob::add,
                    rank -> "rank " + rank),
            () -> new Meetings() {
                @Override
                public CompletableFuture<List<byte[]>> meet(Group group, long number, String call, byte[] payload) {
                    return meetings.computeIfAbsent(number, any -> new CompletableFuture<>());
                }

                @Override
                public CompletableFuture<Map<Integer, ByteBuffer>> deliver(
                        Group group, long number, String call, PersonalPayloads personal) {
                    CompletableFuture<Map<Integer, ByteBuffer>> end = new CompletableFuture<>();
                    deliveries.add(end);
                    return end;
                }
            },
            new InstantExchanges(Topology.ofSizes(2)) {
                @Override
                public long mostPersonalBytes() {
                    return mostPersonalBytes;
                }

                @Override
                public CompletableFuture<Void> run(Exchange exchange) {
                    exchanges.add(exchange.number());
                    return earlierExchanges.thenCompose(over -> super.run(exchange));
                }

                @Override
                public <T> CompletableFuture<T> watched(String call, CompletableFuture<T> part) {
                    watchedParts.add(part);
                    return part;
                }
            },
            task -> blocking.execute(task));

    private void endMeeting(int index, byte[]... payloads) {
        List.copyOf(meetings.values()).get(index).complete(List.of(payloads));
    }

    @Test
    void exchangesKeepTheOrderOfTheirCallsWhenMeetingsDoNot() {
        new ReductionCalls(runner).allReduce(new int[LARGE], new int[LARGE], Op.SUM);
        new DataCalls(runner).bcast(new byte[LARGE], 0);
        new CountedCalls(runner).allGather(new byte[LARGE], new byte[2 * LARGE], Parts.of(LARGE, LARGE));
        byte[] count = {0, 0, 0, 0, 0, 1, (byte) 0x86, (byte) 0xA0};

        endMeeting(2, count, count);
        endMeeting(1, new byte[0], new byte[0]);
        assertThat(exchanges).isEmpty();

        endMeeting(0, new byte[0], new byte[0]);
        assertThat(exchanges).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aDefectInTheOwnPartOfACallFailsTheJob() {
        Operation<Void> call = runner.move("scatter", new long[] {1}, counts -> {
            throw new IllegalStateException("no such part");
        });
        endMeeting(0, new byte[Long.BYTES], new byte[Long.BYTES]);
        assertThat(call.test()).isTrue();
        assertThat(failuresOfJob).singleElement().satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
            assertThat(failure).hasMessageContaining("no such part");
        });
    }

    @Test
    void aContributionIsCopiedAtTheTurnOfItsExchangeAndFailsTheJobIfItCannotBeRead() {
        earlierExchanges = new CompletableFuture<>();
        Storage data = new Unreadable(LARGE);
        Operation<Void> call = new ReductionCalls(runner).allReduce(data, data, Op.SUM);
        endMeeting(0, new byte[0], new byte[0]);
        assertThat(exchanges).containsExactly(1L);
        assertThat(failuresOfJob).isEmpty();

        earlierExchanges.complete(null);
        assertThat(call.test()).isTrue();
        assertThat(failuresOfJob).singleElement().satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
            assertThat(failure.ranks()).containsExactly(0);
            assertThat(failure)
                    .hasMessageContaining("rank 0")
                    .hasMessageContaining("allReduce by sum")
                    .hasMessageContaining("bad sector");
        });
    }

    @Test
    void contributionsAreReadNoMoreAfterTheEndOfTheirWatch() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        blocking = tasks::add;
        AtomicInteger reads = new AtomicInteger();
        Storage data = new CountingStorage(LARGE, reads);
        Operation<Void> call = new ReductionCalls(runner).allReduce(data, data, Op.SUM);
        endMeeting(0, new byte[0], new byte[0]);
        while (reads.get() == 0) {
            tasks.remove().run();
        }

        watchedParts.forEach(part -> part.completeExceptionally(new IllegalStateException("a node is lost")));
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(call.test()).isTrue();
        assertThat(reads).hasValue(1);
    }

    /** Reads and writes whatever it is asked for. */
    private record CountingStorage(long sizeBytes, AtomicInteger reads) implements Storage {
        @Override
        public void read(long offsetBytes, ByteBuffer target) {
            reads.incrementAndGet();
            target.position(target.limit());
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            source.position(source.limit());
        }

        @Override
        public void close() {}
    }

    @Test
    void aStorageIsNotReadByTheThreadThatBringsTheCounts() {
        List<Runnable> tasks = new ArrayList<>();
        blocking = tasks::add;
        Operation<Void> call = new CountedCalls(runner).allGather(new Unreadable(1), new Unreadable(2), Parts.of(1, 1));
        byte[] one = {0, 0, 0, 0, 0, 0, 0, 1};
        endMeeting(0, one, one);
        assertThat(failuresOfJob).isEmpty();

        tasks.forEach(Runnable::run);
        assertThat(call.test()).isTrue();
        assertThat(failuresOfJob)
                .singleElement()
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE));
    }

    @Test
    void callsWithoutAnExchangeHoldNoneBack() {
        Operation<Void> unused = new CountedCalls(runner).allGather(new byte[1], new byte[2], Parts.of(1, 1));
        new DataCalls(runner).bcast(new byte[LARGE], 0);
        endMeeting(1, new byte[0], new byte[0]);
        assertThat(exchanges).isEmpty();

        byte[] one = {0, 0, 0, 0, 0, 0, 0, 1};
        endMeeting(0, one, one);
        assertThat(exchanges).containsExactly(2L);
    }

    @Test
    void callsThatFailHoldNoExchangeBack() {
        Operation<Void> failing = new DataCalls(runner).bcast(new byte[LARGE], 0);
        new DataCalls(runner).bcast(new byte[LARGE], 1);
        endMeeting(1, new byte[0], new byte[0]);
        meetings.values().iterator().next().completeExceptionally(new IllegalStateException("lost"));
        assertThat(failing.test()).isTrue();
        assertThat(exchanges).containsExactly(2L);
    }

    /** Others may not have begun them, and have to keep what comes early. */
    @Test
    void callsOfPersonalMessagesBeginOneAfterTheOther() {
        mostPersonalBytes = 2 * LARGE;
        DataCalls calls = new DataCalls(runner);
        Operation<Void> first = calls.scatter(new byte[2 * LARGE], new byte[LARGE], 0);
        Operation<Void> second = calls.scatter(new byte[2 * LARGE], new byte[LARGE], 0);
        Operation<Void> few = calls.bcast(new byte[1], 0);
        assertThat(meetings.keySet()).containsExactly(1L, 2L, 3L);
        assertThat(deliveries).hasSize(1);

        endMeeting(2, new byte[1], new byte[0]);
        assertThat(few.test()).isTrue();

        endMeeting(0);
        endMeeting(1);
        assertThat(first.test()).isFalse();
        deliveries.get(0).complete(Map.of());
        assertThat(first.test()).isTrue();
        assertThat(second.test()).isFalse();
        assertThat(deliveries).hasSize(2);
        deliveries.get(1).complete(Map.of());
        assertThat(second.test()).isTrue();
        assertThat(exchanges).isEmpty();
    }

    @Test
    void aCallOfPersonalMessagesEndsWhenAllHaveCalledIt() {
        mostPersonalBytes = 2 * LARGE;
        Operation<Void> call = new DataCalls(runner).scatter(new byte[2 * LARGE], new byte[LARGE], 0);
        deliveries.get(0).complete(Map.of());
        assertThat(call.test()).isFalse();
        endMeeting(0);
        assertThat(call.test()).isTrue();
    }

    @Test
    void moreThanPersonalMessagesCarryGoesInPieces() {
        mostPersonalBytes = LARGE - 1;
        Operation<Void> unused = new DataCalls(runner).scatter(new byte[2 * LARGE], new byte[LARGE], 0);
        endMeeting(0, new byte[0], new byte[0]);
        assertThat(exchanges).containsExactly(1L);
    }
}
