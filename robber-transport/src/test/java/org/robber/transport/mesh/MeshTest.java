package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.meeting.PersonalPayloads.Outgoing;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.transport.BufferLeaks;

/** Meetings of nodes that are connected by real sockets. */
class MeshTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    @AfterEach
    void nothingLeaks() {
        leaks.check();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(MeshJob.LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static RobberException failure(Future<?> future) {
        Throwable thrown = catchThrowable(() -> get(future));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertThat(thrown.getCause()).isInstanceOf(RobberException.class);
        return (RobberException) thrown.getCause();
    }

    private static int[] drawSizes(SeededRandom random) {
        int[] sizes = new int[1 + random.nextInt(5)];
        for (int cluster = 0; cluster < sizes.length; cluster++) {
            sizes[cluster] = 1 + random.nextInt(3);
        }
        return sizes;
    }

    private static Group drawGroup(SeededRandom random, long id, int size) {
        List<Integer> ranks = new ArrayList<>(Group.world(size).ranks());
        Collections.shuffle(ranks, new Random(random.nextLong()));
        return new Group(id, ranks.subList(0, 1 + random.nextInt(size)));
    }

    private static byte[] payload(Group group, int rank, long number) {
        byte[] payload = new byte[(int) (Math.floorMod(group.id() + rank + number, 4L) * 97)];
        new Random(rank + 31 * number).nextBytes(payload);
        return payload;
    }

    /** Some meetings of the group as this member, several at a time. */
    private static void meet(Mesh mesh, Group group, int rank, int meetings, int atATime) throws Exception {
        List<CompletableFuture<List<byte[]>>> underWay = new ArrayList<>();
        for (int number = 0; number < meetings; number++) {
            underWay.add(mesh.meet(group, number, "call", payload(group, rank, number)));
            if (number >= atATime) {
                check(group, number - atATime, polled(mesh, rank, underWay.get(number - atATime)));
            }
        }
        for (int number = 0; number < meetings; number++) {
            check(group, number, polled(mesh, rank, underWay.get(number)));
        }
    }

    /** Every third node does not poll the memory that it shares with the others. */
    private static <T> T polled(Mesh mesh, int rank, CompletableFuture<T> meeting) throws Exception {
        if (rank % 3 != 2) {
            mesh.poll(meeting, Long.MAX_VALUE);
        }
        return get(meeting);
    }

    private static void check(Group group, int meeting, List<byte[]> payloads) {
        assertThat(payloads).hasSize(group.size());
        for (int number = 0; number < group.size(); number++) {
            assertThat(payloads.get(number)).isEqualTo(payload(group, group.rank(number), meeting));
        }
    }

    /** Each group in each node on a thread of its own. */
    private static List<Future<Void>> start(MeshJob job, List<Group> groups, int meetings, int atATime) {
        List<Future<Void>> running = new ArrayList<>();
        for (Group group : groups) {
            for (int rank : group.ranks()) {
                running.add(job.run(() -> {
                    meet(job.mesh(rank), group, rank, meetings, atATime);
                    return null;
                }));
            }
        }
        return running;
    }

    @Test
    void groupsMeetAtTheSameTime() {
        SeededRuns.run(8, random -> {
            try (MeshJob job = new MeshJob(drawSizes(random))) {
                List<Group> groups = new ArrayList<>(List.of(Group.world(job.size())));
                for (int id = 1; id < 4; id++) {
                    groups.add(drawGroup(random, id, job.size()));
                }
                for (Future<Void> each : start(job, groups, 40, random.nextInt(5))) {
                    get(each);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @RepeatedTest(10)
    void brokenConnectionsAreMadeAgainAndNothingIsLost() throws Exception {
        try (MeshJob job = new MeshJob(2, 1, 2)) {
            List<Group> groups = List.of(Group.world(5), new Group(7, List.of(4, 1, 2)));
            AtomicInteger broken = new AtomicInteger();
            List<Future<Void>> running = start(job, groups, 300, 3);
            Group breakers = new Group(8, List.of(0, 1, 2, 3, 4));
            for (int rank = 0; rank < job.size(); rank++) {
                Mesh mesh = job.mesh(rank);
                int self = rank;
                running.add(job.run(() -> {
                    for (int number = 0; number < 100; number++) {
                        CompletableFuture<List<byte[]>> meeting = mesh.meet(breakers, number, "break", new byte[0]);
                        if (number % 20 == 4 * self) {
                            broken.addAndGet(mesh.breakConnections());
                        }
                        get(meeting);
                    }
                    return null;
                }));
            }
            for (Future<Void> each : running) {
                get(each);
            }
            assertThat(broken).hasPositiveValue();
        }
    }

    /** A node that polls, but does not come to it, gets the last message of a node that leaves. */
    @Test
    void messagesInSharedMemoryCountBeforeTheLeave() throws Exception {
        try (MeshJob job = new MeshJob(2)) {
            Group world = Group.world(2);
            for (Future<Void> each : start(job, List.of(world), 40, 0)) {
                get(each);
            }
            CountDownLatch polls = new CountDownLatch(2);
            CountDownLatch goesOn = new CountDownLatch(1);
            CompletableFuture<Void> awaited = new CompletableFuture<>() {
                @Override
                public boolean isDone() {
                    polls.countDown();
                    return polls.getCount() == 0 && Uninterruptibles.awaitUninterruptibly(goesOn, 1, TimeUnit.MINUTES);
                }
            };
            Future<?> poller = job.run(() -> {
                job.mesh(0).poll(awaited, Long.MAX_VALUE);
                return null;
            });
            assertThat(polls.await(MeshJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            Future<List<byte[]>> meeting = job.mesh(0).meet(world, 40, "barrier", new byte[0]);
            Future<List<byte[]>> other = job.mesh(1).meet(world, 40, "barrier", new byte[] {1});
            assertThat(other.isDone()).isFalse();
            job.leave(1);

            assertThat(get(meeting)).hasSize(2);
            goesOn.countDown();
            get(poller);
        }
    }

    /** Each sends every other member a long payload of its own, while connections break. */
    @RepeatedTest(3)
    void personalPayloadsArriveOverBrokenConnections() throws Exception {
        try (MeshJob job = new MeshJob(2, 2)) {
            Group world = Group.world(4);
            List<Future<Void>> running = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                int self = rank;
                running.add(job.run(() -> {
                    for (int number = 0; number < 30; number++) {
                        CompletableFuture<Map<Integer, ByteBuffer>> meeting =
                                job.mesh(self).deliver(world, number, "exchange", personal(number, self));
                        if (number % 8 == 2 * self) {
                            job.mesh(self).breakConnections();
                        }
                        Map<Integer, ByteBuffer> got = get(meeting);
                        assertThat(got).hasSize(3);
                        int meant = number;
                        got.forEach((from, payload) -> assertThat(payload).isEqualTo(longPayload(meant, from, self)));
                    }
                    return null;
                }));
            }
            for (Future<Void> each : running) {
                get(each);
            }
        }
    }

    private static PersonalPayloads personal(int number, int self) {
        List<Integer> others =
                IntStream.range(0, 4).filter(each -> each != self).boxed().toList();
        return new PersonalPayloads(
                others.stream()
                        .map(to -> new Outgoing(ImmutableList.of(to), longPayload(number, self, to)))
                        .collect(ImmutableList.toImmutableList()),
                ImmutableSet.copyOf(others));
    }

    private static ByteBuffer longPayload(int number, int from, int to) {
        byte[] bytes = new byte[300_000];
        Arrays.fill(bytes, (byte) (16 * number + 4 * from + to));
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void encryptedNodesMeet() throws Exception {
        try (MeshJob job = new MeshJob(
                options -> options.withSecret("not for the wire".getBytes(StandardCharsets.US_ASCII))
                        .withTls(TlsOptions.on()),
                -1,
                2,
                2)) {
            for (Future<Void> each : start(job, List.of(Group.world(4)), 20, 2)) {
                get(each);
            }
        }
    }

    @Test
    void aMebibyteFitsAndMoreIsRefused() throws Exception {
        try (MeshJob job = new MeshJob(1, 2)) {
            Group world = Group.world(3);
            List<Future<List<byte[]>>> fits = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                fits.add(job.mesh(rank).meet(world, 0, "large", new byte[rank == 2 ? Meetings.MOST_BYTES : 0]));
            }
            for (Future<List<byte[]>> each : fits) {
                assertThat(get(each).get(2)).hasSize(Meetings.MOST_BYTES);
            }
            List<Future<List<byte[]>>> refused = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                refused.add(job.mesh(rank).meet(world, 1, "larger", new byte[Meetings.MOST_BYTES / 3 + 1]));
            }
            for (Future<List<byte[]>> each : refused) {
                assertThat(failure(each).reason()).isEqualTo(Reason.USAGE);
                assertThat(failure(each)).hasMessageContaining("bytes or more to 'larger'");
            }
        }
    }

    @Test
    void differentCallsFailAtEveryMember() {
        SeededRuns.run(5, random -> {
            try (MeshJob job = new MeshJob(drawSizes(random))) {
                Group world = Group.world(job.size());
                int other = random.nextInt(job.size());
                List<Future<List<byte[]>>> meetings = new ArrayList<>();
                for (int rank = 0; rank < job.size(); rank++) {
                    meetings.add(job.mesh(rank).meet(world, 0, rank == other ? "gather" : "barrier", new byte[0]));
                }
                for (Future<List<byte[]>> each : job.size() == 1 ? List.<Future<List<byte[]>>>of() : meetings) {
                    RobberException failure = failure(each);
                    assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                    assertThat(failure.ranks()).hasSize(2).contains(other);
                    assertThat(failure).hasMessageContaining("'gather'").hasMessageContaining("'barrier'");
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Rank 1 never comes: leaders compare although they wait for others. */
    @Test
    void differentCallsFailAlthoughAnotherNodeIsLate() throws Exception {
        try (MeshJob job = new MeshJob(2, 2)) {
            Group world = Group.world(4);
            Future<List<byte[]>> zero = job.mesh(0).meet(world, 0, "gather", new byte[0]);
            Future<List<byte[]>> two = job.mesh(2).meet(world, 0, "barrier", new byte[0]);

            assertThat(failure(zero).ranks()).containsExactlyInAnyOrder(0, 2);
            assertThat(failure(two).ranks()).containsExactlyInAnyOrder(0, 2);
        }
    }

    @Test
    void meetingsWithAKilledNodeFailAndOthersGoOn() throws Exception {
        try (MeshJob job = new MeshJob(2, 2, 1)) {
            job.controlPlane(0).rankZero().orElseThrow().goOnWithoutLost();
            Group world = Group.world(5);
            for (Future<Void> each : start(job, List.of(world), 3, 0)) {
                get(each);
            }
            List<Future<List<byte[]>>> waiting = new ArrayList<>();
            for (int rank : List.of(0, 1, 3, 4)) {
                waiting.add(job.mesh(rank).meet(world, 3, "barrier", new byte[0]));
            }
            job.kill(2);

            for (Future<List<byte[]>> each : waiting) {
                assertThat(failure(each).reason()).isEqualTo(Reason.NETWORK);
                assertThat(failure(each).ranks()).containsExactly(2);
            }
            Group survivors = new Group(5, List.of(3, 0, 1, 4));
            for (Future<Void> each : start(job, List.of(survivors), 3, 0)) {
                get(each);
            }
            assertThat(failure(job.mesh(1).meet(world, 4, "barrier", new byte[0]))
                            .ranks())
                    .containsExactly(2);
        }
    }

    @Test
    void whoWaitsForANodeThatHasLeftIsTold() throws Exception {
        try (MeshJob job = new MeshJob(1, 1)) {
            for (Future<Void> each : start(job, List.of(Group.world(2)), 2, 0)) {
                get(each);
            }
            Future<List<byte[]>> waiting = job.mesh(0).meet(Group.world(2), 2, "barrier", new byte[0]);
            job.leave(1);

            assertThat(failure(waiting).reason()).isEqualTo(Reason.USAGE);
            assertThat(failure(waiting)).hasMessageContaining("has left the job");
        }
    }

    /** Rank 1, which should connect, has left before it knew that it was needed. */
    @Test
    void whoWaitsForANodeThatWasNeverThereIsTold() throws Exception {
        try (MeshJob job = new MeshJob(options -> options.withConnectTimeout(Duration.ofSeconds(2)), -1, 2)) {
            job.leave(1);
            RobberException failure = failure(job.mesh(0).meet(Group.world(2), 0, "barrier", new byte[0]));

            assertThat(failure.ranks()).contains(1);
            assertThat(failure).hasMessageContaining("barrier");
        }
    }

    /** The meeting ends with the loss of rank 2, before there is a connection between the others. */
    @Test
    void nobodyWaitsAtTheEndForANodeThatLeftBeforeItWasReached() throws Exception {
        CompletableFuture<Integer> left = new CompletableFuture<>();
        try (MeshJob job = new MeshJob(1, 1, 1)) {
            job.controlPlane(0).rankZero().orElseThrow().goOnWithoutLost();
            job.controlPlane(0).onLeft(rank -> {
                job.mesh(0).left(rank);
                left.complete(rank);
            });
            Future<List<byte[]>> lacking = job.mesh(0).meet(Group.world(3), 0, "barrier", new byte[0]);
            assertThat(job.mesh(0).lackingBytes()).isPositive();
            job.kill(2);
            assertThat(failure(lacking).ranks()).containsExactly(2);
            job.leave(1);
            job.controlPlane(0).callBack(1, /* token= */ 1);

            assertThat(left.get(MeshJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(job.mesh(0).lackingBytes()).isZero();
        }
    }

    @Test
    void aNodeThatCannotBeReachedIsNamed() throws Exception {
        try (MeshJob job = new MeshJob(options -> options.withConnectTimeout(Duration.ofSeconds(2)), 0, 1, 1)) {
            Future<List<byte[]>> one = job.mesh(1).meet(Group.world(2), 0, "barrier", new byte[0]);

            assertThat(failure(one).reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure(one).ranks()).containsExactly(0);
            assertThat(failure(one)).hasMessageContaining("cannot be reached").hasMessageContaining("barrier");
        }
    }
}
