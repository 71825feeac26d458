package org.robber.transport.collective.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.meeting.Group;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.InstantExchanges;
import org.robber.transport.collective.Unreadable;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.collective.member.OwnPart;
import org.robber.transport.rendezvous.BlockingCalls;

/** Calls through shared memory of members in this process; their meetings end when all have come. */
@EnabledOnOs(OS.LINUX)
class SharedCallsTest {
    private static final String CALL = "scatter";

    private final List<SharedCalls> members = new ArrayList<>();

    private void open(int size, IntFunction<Boolean> mayShare) {
        for (int rank = 0; rank < size; rank++) {
            boolean shares = mayShare.apply(rank);
            Membership member = new Membership(
                    Group.world(size),
                    rank,
                    Topology.ofSizes(size),
                    new BlockingCalls(rank, failure -> {}),
                    failure -> {},
                    each -> "rank " + each);
            members.add(new SharedCalls(
                    member,
                    new OwnPart(member),
                    new InstantExchanges(Topology.ofSizes(size)) {
                        @Override
                        public boolean isOneMachine() {
                            return true;
                        }

                        @Override
                        public boolean mayShareMemory() {
                            return shares;
                        }
                    },
                    Runnable::run));
        }
    }

    @AfterEach
    void close() {
        members.forEach(SharedCalls::close);
    }

    /** Meetings of all members, by round. */
    private static final class Meetings {
        private final int size;
        private final TreeMap<Integer, byte[][]> payloads = new TreeMap<>();
        private final TreeMap<Integer, CompletableFuture<List<byte[]>>> ends = new TreeMap<>();

        Meetings(int size) {
            this.size = size;
        }

        SharedWindows.Rounds of(int rank) {
            AtomicInteger next = new AtomicInteger();
            return payload -> {
                int round = next.getAndIncrement();
                byte[][] come = payloads.computeIfAbsent(round, first -> new byte[size][]);
                assertThat(come[rank])
                        .as("rank %s meets in round %s", rank, round)
                        .isNull();
                come[rank] = payload;
                CompletableFuture<List<byte[]>> end = ends.computeIfAbsent(round, first -> new CompletableFuture<>());
                if (Stream.of(come).allMatch(each -> each != null)) {
                    end.complete(List.of(come));
                }
                return end;
            };
        }
    }

    private List<Boolean> agree(Meetings meetings) {
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            answers.add(members.get(rank).agree(meetings.of(rank)));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static Region region(byte[] bytes) {
        return new Region(Storage.of(ByteBuffer.wrap(bytes)), 0, bytes.length);
    }

    /** Parts of random sizes and wanters, some of which their owners want themselves. */
    private record Parts(List<Integer> owners, List<ImmutableList<Integer>> wanters, List<byte[]> data) {
        static Parts draw(SeededRandom random, int size) {
            Parts parts = new Parts(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int number = 0; number < 1 + random.nextInt(12); number++) {
                parts.owners.add(random.nextInt(size));
                parts.wanters.add(IntStream.range(0, size)
                        .filter(each -> random.nextBoolean())
                        .boxed()
                        .collect(ImmutableList.toImmutableList()));
                byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 5_000_000 : 200_000)];
                new Random(random.nextLong()).nextBytes(bytes);
                parts.data.add(bytes);
            }
            return parts;
        }

        /** The movement at a member, which has places of its own for what it wants. */
        Movement at(int rank, int size, List<byte[]> places) {
            ImmutableList.Builder<Part> made = ImmutableList.builder();
            for (int number = 0; number < owners.size(); number++) {
                byte[] place = new byte[data.get(number).length];
                places.add(place);
                made.add(new Part(
                        place.length,
                        ImmutableList.of(owners.get(number)),
                        wanters.get(number),
                        owners.get(number) == rank ? region(data.get(number)) : null,
                        wanters.get(number).contains(rank) ? region(place) : null));
            }
            return new Movement(rank, size, made.build());
        }
    }

    @Test
    void everyPartComesToThoseThatWantIt() {
        SeededRuns.run(40, random -> {
            SharedCallsTest test = new SharedCallsTest();
            int size = 2 + random.nextInt(4);
            test.open(size, rank -> true);
            Meetings before = new Meetings(size);
            assertThat(test.agree(before)).containsOnly(true);
            for (int call = 0; call < 3; call++) {
                Parts parts = Parts.draw(random, size);
                Meetings meetings = new Meetings(size);
                List<List<byte[]>> places = new ArrayList<>();
                List<CompletableFuture<Void>> done = new ArrayList<>();
                for (int rank = 0; rank < size; rank++) {
                    List<byte[]> own = new ArrayList<>();
                    places.add(own);
                    done.add(test.members
                            .get(rank)
                            .move(CALL, parts.at(rank, size, own), meetings.of(rank), new CallProgress()));
                }
                done.forEach(CompletableFuture::join);
                for (int rank = 0; rank < size; rank++) {
                    for (int number = 0; number < parts.owners.size(); number++) {
                        byte[] data = parts.data.get(number);
                        assertThat(places.get(rank).get(number))
                                .isEqualTo(parts.wanters.get(number).contains(rank) ? data : new byte[data.length]);
                    }
                }
            }
            test.close();
        });
    }

    @Test
    void nobodySharesIfOneDoesNot() {
        open(3, rank -> rank != 1);
        assertThat(agree(new Meetings(3))).containsOnly(false);
    }

    @Test
    void theFilesAreGoneOnceAllHaveThem() throws Exception {
        open(4, rank -> true);
        List<Path> before = files();
        assertThat(agree(new Meetings(4))).containsOnly(true);
        assertThat(before).containsAll(files());
    }

    private static List<Path> files() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
            return all.filter(each -> String.valueOf(each.getFileName()).startsWith("robber-"))
                    .toList();
        }
    }

    @Test
    void aPlaceThatCannotBeReadIsTheFailureOfItsCall() {
        open(2, rank -> true);
        assertThat(agree(new Meetings(2))).containsOnly(true);
        Part part = new Part(10, ImmutableList.of(0), ImmutableList.of(1), new Region(new Unreadable(10), 0, 10), null);
        CompletableFuture<Void> call = members.get(0)
                .move(CALL, new Movement(0, 2, ImmutableList.of(part)), new Meetings(2).of(0), new CallProgress());
        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.SOURCE);
                    assertThat(e.ranks()).containsExactly(0);
                });
    }

    @Test
    void aMeetingThatFailsEndsTheCall() {
        open(2, rank -> true);
        assertThat(agree(new Meetings(2))).containsOnly(true);
        CompletableFuture<List<byte[]>> meeting = new CompletableFuture<>();
        byte[] bytes = new byte[10];
        Part part = new Part(10, ImmutableList.of(0), ImmutableList.of(1), region(bytes), null);
        CompletableFuture<Void> call = members.get(0)
                .move(CALL, new Movement(0, 2, ImmutableList.of(part)), any -> meeting, new CallProgress());
        assertThat(call).isNotDone();
        meeting.completeExceptionally(new RobberException(Reason.NETWORK, List.of(1), CALL, "rank 1 is lost"));
        assertThatThrownBy(call::join).hasRootCauseMessage("rank 1 is lost");
        assertThat(Arrays.equals(bytes, new byte[10])).isTrue();
    }
}
