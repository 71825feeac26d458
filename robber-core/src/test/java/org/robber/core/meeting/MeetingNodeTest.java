package org.robber.core.meeting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.meeting.MeetingAction.Breach;
import org.robber.core.meeting.MeetingAction.Delivered;
import org.robber.core.meeting.MeetingAction.Early;
import org.robber.core.meeting.MeetingAction.MemberGone;
import org.robber.core.meeting.MeetingAction.Met;
import org.robber.core.meeting.MeetingAction.Mismatch;
import org.robber.core.meeting.MeetingAction.Send;
import org.robber.core.meeting.MeetingAction.TooFarAhead;
import org.robber.core.meeting.MeetingAction.TooManyBytes;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.meeting.PersonalPayloads.Outgoing;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;

/** Meetings of random groups, with messages in any order. */
class MeetingNodeTest {
    private static final String CALL = "barrier";
    private static final Group PAIR = new Group(5, List.of(0, 1));
    private static final MeetingKey PAIR_KEY = new MeetingKey(PAIR.id(), 0);

    /** All nodes of a job, and the messages between them that are on their way. */
    private static final class Nodes {
        final Topology topology;
        final List<MeetingNode> nodes = new ArrayList<>();
        final List<Sent> underWay = new ArrayList<>();
        final List<Sent> sent = new ArrayList<>();
        final Map<Integer, List<MeetingAction>> ends = new LinkedHashMap<>();
        int lost = -1;

        record Sent(int from, int to, OfMeeting message) {}

        Nodes(Topology topology) {
            this.topology = topology;
            for (int rank = 0; rank < topology.size(); rank++) {
                nodes.add(new MeetingNode(rank, topology));
                ends.put(rank, new ArrayList<>());
            }
        }

        static Nodes draw(SeededRandom random) {
            int[] sizes = IntStream.range(0, 1 + random.nextInt(5))
                    .map(cluster -> random.nextInt(5) == 0 ? 30 + random.nextInt(40) : 1 + random.nextInt(6))
                    .toArray();
            return new Nodes(Topology.ofSizes(sizes));
        }

        Group drawGroup(SeededRandom random, long id) {
            List<Integer> ranks = new ArrayList<>(Group.world(topology.size()).ranks());
            Collections.shuffle(ranks, new Random(random.nextLong()));
            return new Group(id, ranks.subList(0, 1 + random.nextInt(ranks.size())));
        }

        void begin(int rank, Group group, long number, String call) {
            perform(rank, nodes.get(rank).begin(group, number, call, payload(rank, number)));
        }

        void beginDelivery(int rank, Group group, long number) {
            perform(rank, nodes.get(rank).deliver(group, number, CALL, personal(group, number, rank)));
        }

        void perform(int rank, List<MeetingAction> actions) {
            for (MeetingAction action : actions) {
                if (action instanceof Send send) {
                    send.ranks().forEach(to -> underWay.add(new Sent(rank, to, send.message())));
                    send.ranks().forEach(to -> sent.add(new Sent(rank, to, send.message())));
                } else if (!(action instanceof MeetingAction.Connect) && !(action instanceof Early)) {
                    ends.get(rank).add(action);
                }
            }
        }

        /** Delivers one of the messages, sometimes twice. */
        void deliver(SeededRandom random) {
            int index = random.nextInt(underWay.size());
            Sent next = random.nextInt(5) == 0 ? underWay.get(index) : underWay.remove(index);
            if (next.to() != lost) {
                perform(next.to(), nodes.get(next.to()).received(next.from(), next.message()));
            }
        }

        void deliverAll(SeededRandom random) {
            while (!underWay.isEmpty()) {
                deliver(random);
            }
        }

        void tickTwice() {
            for (int rank = 0; rank < nodes.size(); rank++) {
                perform(rank, nodes.get(rank).tick());
                perform(rank, nodes.get(rank).tick());
            }
        }

        void lose(int rank, SeededRandom random) {
            lost = rank;
            underWay.removeIf(each -> each.from() == rank && random.nextBoolean());
        }

        List<MeetingAction> allEnds() {
            return ends.values().stream().flatMap(List::stream).toList();
        }
    }

    /** Whether the first member has something for the second. */
    private static boolean isForOne(long number, int from, int to) {
        return from != to && (31 * from + to + number) % 3 == 0;
    }

    private static ByteBuffer forOne(long number, int from, int to) {
        return ByteBuffer.wrap(new byte[] {(byte) number, (byte) from, (byte) to});
    }

    private static PersonalPayloads personal(Group group, long number, int rank) {
        int self = group.number(rank);
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        ImmutableSet.Builder<Integer> expectedFrom = ImmutableSet.builder();
        for (int other = 0; other < group.size(); other++) {
            if (isForOne(number, self, other)) {
                sent.add(new Outgoing(ImmutableList.of(other), forOne(number, self, other)));
            }
            if (isForOne(number, other, self)) {
                expectedFrom.add(other);
            }
        }
        return new PersonalPayloads(sent.build(), expectedFrom.build());
    }

    private static byte[] payload(int rank, long number) {
        byte[] payload = new byte[(int) ((rank + number) % 4)];
        Arrays.fill(payload, (byte) (rank * 7L + number));
        return payload;
    }

    private static void assertAllThere(Group group, Met met) {
        assertThat(met.payloads()).hasSize(group.size());
        for (int number = 0; number < group.size(); number++) {
            assertThat(met.payloads().get(number))
                    .isEqualTo(payload(group.rank(number), met.key().number()));
        }
    }

    private static void assertAllThere(Group group, int rank, Delivered delivered) {
        int self = group.number(rank);
        long number = delivered.key().number();
        for (int other = 0; other < group.size(); other++) {
            assertThat(delivered.payloads().get(other))
                    .isEqualTo(isForOne(number, other, self) ? forOne(number, other, self) : null);
        }
    }

    @Test
    void everyMemberGetsThePayloadsOfAll() {
        SeededRuns.run(150, random -> {
            Nodes nodes = Nodes.draw(random);
            Map<Long, Group> groups = new HashMap<>();
            List<Runnable> begins = new ArrayList<>();
            for (long id = 0; id < 3; id++) {
                Group group = id == 0 ? Group.world(nodes.topology.size()) : nodes.drawGroup(random, id);
                groups.put(id, group);
                for (long number = 0; number < 3; number++) {
                    long n = number;
                    group.ranks().forEach(rank -> begins.add(() -> nodes.begin(rank, group, n, CALL)));
                    group.ranks().forEach(rank -> begins.add(() -> nodes.beginDelivery(rank, group, 3 + n)));
                }
            }
            Collections.shuffle(begins, new Random(random.nextLong()));
            begins.forEach(begin -> {
                begin.run();
                while (!nodes.underWay.isEmpty() && random.nextInt(3) > 0) {
                    nodes.deliver(random);
                }
            });
            nodes.deliverAll(random);

            for (int rank = 0; rank < nodes.topology.size(); rank++) {
                int self = rank;
                List<MeetingKey> over = new ArrayList<>();
                for (MeetingAction end : nodes.ends.get(rank)) {
                    if (end instanceof Met met) {
                        assertAllThere(groups.get(met.key().groupId()), met);
                        over.add(met.key());
                    } else {
                        Delivered delivered = (Delivered) end;
                        assertAllThere(groups.get(delivered.key().groupId()), self, delivered);
                        over.add(delivered.key());
                    }
                }
                long member = groups.values().stream()
                        .filter(group -> group.number(self) >= 0)
                        .count();
                assertThat(over).doesNotHaveDuplicates().hasSize((int) (6 * member));
                assertThat(nodes.nodes.get(rank).isMeeting()).isFalse();
            }
            assertOneMessageForEachPairOfClusters(nodes);
        });
    }

    private static void assertOneMessageForEachPairOfClusters(Nodes nodes) {
        Map<List<Object>, Long> messages = nodes.sent.stream()
                .filter(sent -> sent.message() instanceof Bundle)
                .filter(sent -> !nodes.topology.sameCluster(sent.from(), sent.to()))
                .collect(Collectors.groupingBy(
                        sent -> List.of(
                                sent.message().key(),
                                nodes.topology.clusterOf(sent.from()),
                                nodes.topology.clusterOf(sent.to())),
                        Collectors.counting()));
        assertThat(messages.values()).allMatch(count -> count == 1);
    }

    @Test
    void nobodySendsToMany() {
        Nodes nodes = new Nodes(Topology.ofSizes(2_000));
        Group world = Group.world(2_000);
        world.ranks().forEach(rank -> nodes.perform(rank, nodes.nodes.get(rank).begin(world, 0, CALL, new byte[1])));
        nodes.deliverAll(new SeededRandom(1));

        assertThat(nodes.allEnds()).hasSize(2_000);
        assertThat(nodes.sent.stream().collect(Collectors.groupingBy(Nodes.Sent::from, Collectors.counting())))
                .allSatisfy((rank, count) -> assertThat(count).isLessThanOrEqualTo(MemberTree.CHILDREN + 1));
    }

    @Test
    void anotherCallIsNoticedWhenAllHaveBegun() {
        SeededRuns.run(150, random -> {
            Nodes nodes = Nodes.draw(random);
            Group group = nodes.drawGroup(random, 1);
            int other = group.rank(random.nextInt(group.size()));
            for (int rank : group.ranks()) {
                nodes.begin(rank, group, 0, rank == other ? "gather" : CALL);
            }
            nodes.deliverAll(random);

            assertThat(nodes.allEnds()).noneMatch(end -> end instanceof Met && group.size() > 1);
            assertThat(nodes.allEnds()).noneMatch(Breach.class::isInstance);
            assertThat(nodes.allEnds().stream().anyMatch(Mismatch.class::isInstance))
                    .isEqualTo(group.size() > 1);
            nodes.allEnds().stream()
                    .filter(Mismatch.class::isInstance)
                    .map(Mismatch.class::cast)
                    .forEach(end ->
                            assertThat(List.of(end.call(), end.otherCall())).containsExactlyInAnyOrder("gather", CALL));
        });
    }

    @Test
    void leadersThatWaitForOthersSayWhichCallTheyAreIn() {
        Nodes nodes = new Nodes(Topology.ofSizes(2, 2));
        Group world = Group.world(4);
        nodes.begin(0, world, 0, CALL);
        nodes.begin(2, world, 0, "gather");
        nodes.deliverAll(new SeededRandom(1));
        assertThat(nodes.allEnds()).isEmpty();

        nodes.tickTwice();
        nodes.deliverAll(new SeededRandom(1));

        assertThat(nodes.ends.get(0)).contains(new Mismatch(new MeetingKey(0, 0), 2, "gather", 0, CALL));
        assertThat(nodes.ends.get(2)).contains(new Mismatch(new MeetingKey(0, 0), 0, CALL, 2, "gather"));
    }

    @Test
    void twoChildrenWithDifferentCallsAreNoticedByALeaderThatHasNotBegun() {
        Nodes nodes = new Nodes(Topology.ofSizes(3));
        Group world = Group.world(3);
        nodes.begin(1, world, 0, CALL);
        nodes.begin(2, world, 0, "gather");
        nodes.deliverAll(new SeededRandom(1));

        assertThat(nodes.ends.get(0)).hasAtLeastOneElementOfType(Mismatch.class);
    }

    @Test
    void aLossEndsTheMeetingEverywhere() {
        SeededRuns.run(150, random -> {
            Nodes nodes = Nodes.draw(random);
            Group group = nodes.drawGroup(random, 1);
            int gone = group.rank(random.nextInt(group.size()));
            List<Integer> order = new ArrayList<>(group.ranks());
            Collections.shuffle(order, new Random(random.nextLong()));
            order.forEach(rank -> {
                nodes.begin(rank, group, 0, CALL);
                while (!nodes.underWay.isEmpty() && random.nextInt(3) > 0) {
                    nodes.deliver(random);
                }
            });
            nodes.lose(gone, random);
            for (int rank = 0; rank < nodes.topology.size(); rank++) {
                if (rank != gone) {
                    nodes.perform(rank, nodes.nodes.get(rank).lost(gone));
                }
            }
            nodes.deliverAll(random);

            for (int rank : group.ranks()) {
                if (rank != gone) {
                    MeetingKey key = new MeetingKey(1, 0);
                    assertThat(nodes.ends.get(rank))
                            .singleElement()
                            .satisfies(
                                    end -> assertThat(end instanceof Met || end.equals(new MemberGone(key, CALL, gone)))
                                            .isTrue());
                    assertThat(nodes.nodes.get(rank).begin(group, 1, CALL, new byte[0]))
                            .contains(new MemberGone(new MeetingKey(1, 1), CALL, gone));
                }
            }
        });
    }

    @Test
    void aPersonalPayloadThatNobodyExpectsIsABreach() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        zero.begin(PAIR, 0, CALL, new byte[0]);
        assertThat(zero.received(1, new Personal(PAIR_KEY, CALL, ByteBuffer.allocate(1))))
                .singleElement()
                .isInstanceOf(Breach.class);
    }

    @Test
    void aDeliveryWaitsForWhatItExpectsAndForNobodyElse() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(3));
        Group all = Group.world(3);
        zero.deliver(all, 0, CALL, new PersonalPayloads(ImmutableList.of(), ImmutableSet.of(1)));
        assertThat(zero.unreachable(2)).isEmpty();
        ByteBuffer payload = ByteBuffer.allocate(1);
        assertThat(zero.received(1, new Personal(new MeetingKey(0, 0), CALL, payload)))
                .containsExactly(new Delivered(new MeetingKey(0, 0), ImmutableMap.of(1, payload)));

        zero.deliver(all, 1, CALL, new PersonalPayloads(ImmutableList.of(), ImmutableSet.of(1)));
        assertThat(zero.unreachable(1)).containsExactly(new MemberGone(new MeetingKey(0, 1), CALL, 1));
    }

    @Test
    void aDeliveryNoticesAnotherCallAndWhatIsNoPersonalPayload() {
        PersonalPayloads expected = new PersonalPayloads(ImmutableList.of(), ImmutableSet.of(1));
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        zero.deliver(PAIR, 0, CALL, expected);
        assertThat(zero.received(1, new Personal(PAIR_KEY, "gather", ByteBuffer.allocate(1))))
                .containsExactly(new Mismatch(PAIR_KEY, 1, "gather", 0, CALL));
        MeetingNode other = new MeetingNode(0, Topology.ofSizes(2));
        other.deliver(PAIR, 0, CALL, expected);
        assertThat(other.received(1, new Bundle(PAIR_KEY, CALL, List.of(new byte[0]))))
                .singleElement()
                .isInstanceOf(Breach.class);
    }

    /** A node that is late in one delivery of a call may get what belongs to the next. */
    @Test
    void aPayloadOfALaterDeliveryIsNoCallThatThisNodeHasNotBegun() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        assertThat(zero.received(1, new Personal(PAIR_KEY, CALL, ByteBuffer.allocate(1))))
                .isEmpty();
    }

    @Test
    void aLossEndsDeliveriesOfItsGroups() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(3));
        Group all = Group.world(3);
        zero.deliver(all, 0, CALL, new PersonalPayloads(ImmutableList.of(), ImmutableSet.of(1)));
        assertThat(zero.lost(2)).containsExactly(new MemberGone(new MeetingKey(0, 0), CALL, 2));
        assertThat(zero.deliver(all, 1, CALL, new PersonalPayloads(ImmutableList.of(), ImmutableSet.of(1))))
                .contains(new MemberGone(new MeetingKey(0, 1), CALL, 2));
    }

    /** It has sent what it owed, and may have got what it needed. */
    @Test
    void aLeaderMayLeaveOnceItHasSentItsMessages() {
        Nodes nodes = new Nodes(Topology.ofSizes(1, 2));
        Group world = Group.world(3);
        nodes.begin(0, world, 0, CALL);
        nodes.begin(1, world, 0, CALL);
        nodes.deliverAll(new SeededRandom(1));

        nodes.perform(1, nodes.nodes.get(1).unreachable(0));
        assertThat(nodes.ends.get(1)).isEmpty();
        nodes.begin(2, world, 0, CALL);
        nodes.deliverAll(new SeededRandom(1));
        assertThat(nodes.ends.get(1)).singleElement().isInstanceOf(Met.class);
        nodes.begin(1, world, 1, CALL);
        assertThat(nodes.ends.get(1)).contains(new MemberGone(new MeetingKey(0, 1), CALL, 0));
    }

    @Test
    void payloadsAreLimited() {
        Topology topology = Topology.ofSizes(2);
        MeetingNode zero = new MeetingNode(0, topology);
        MeetingKey key = new MeetingKey(0, 0);
        zero.begin(Group.world(2), 0, CALL, new byte[MeetingNode.MOST_BYTES]);

        assertThat(zero.received(1, new Bundle(key, CALL, List.of(new byte[1]))))
                .containsExactly(new TooManyBytes(key, CALL, MeetingNode.MOST_BYTES + 1L));
    }

    @Test
    void messagesOfMeetingsFarAheadAreLimited() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        byte[] payload = new byte[MeetingNode.MOST_BYTES];
        List<MeetingAction> actions = List.of();
        for (int number = 0; actions.stream().noneMatch(TooFarAhead.class::isInstance); number++) {
            assertThat(number).isLessThan(70);
            actions = zero.received(1, new Bundle(new MeetingKey(9, number), CALL, List.of(payload)));
        }
        assertThat(actions).containsExactly(new TooFarAhead(1, CALL));
    }

    @Test
    void aCallThatThisNodeHasNotBegunIsTold() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        MeetingNode one = new MeetingNode(1, Topology.ofSizes(2));
        one.begin(Group.world(2), 0, CALL, new byte[0]);
        zero.begin(Group.world(2), 1, CALL, new byte[0]);
        MeetingKey key = new MeetingKey(0, 0);

        assertThat(zero.received(1, new Bundle(key, CALL, List.of(new byte[0]))))
                .containsExactly(new Early(key, 1, CALL));
        assertThat(zero.mayBegin(key)).isTrue();
        assertThat(zero.mayBegin(new MeetingKey(0, 1))).isFalse();
        // Who waits for another node tells it so, also where messages would go the other way.
        zero.tick();
        assertThat(zero.tick()).containsExactly(new Send(List.of(1), new Begun(new MeetingKey(0, 1), CALL)));
    }

    @Test
    void aWrongCountOfPayloadsIsABreach() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        zero.begin(Group.world(2), 0, CALL, new byte[0]);

        assertThat(zero.received(1, new Bundle(new MeetingKey(0, 0), CALL, List.of())))
                .singleElement()
                .isInstanceOf(Breach.class);
    }

    @Test
    void lateMessagesOfAClosedGroupAreDropped() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        zero.begin(PAIR, 0, CALL, new byte[0]);
        zero.received(1, fromOne(PAIR, 0));
        zero.closed(PAIR);

        assertThat(zero.received(1, fromOne(PAIR, 0))).isEmpty();
        assertThatThrownBy(() -> zero.begin(PAIR, 1, CALL, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closedGroupsTakeALimitedMemory() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        for (long id = 1; id <= 1 + MeetingNode.REMEMBERED_CLOSED_GROUPS; id++) {
            Group group = new Group(id, List.of(0, 1));
            zero.begin(group, 0, CALL, new byte[0]);
            zero.received(1, fromOne(group, 0));
            zero.closed(group);
        }
        assertThat(zero.mayBegin(new MeetingKey(1, 0))).isTrue();
        assertThat(zero.mayBegin(new MeetingKey(2, 0))).isFalse();
    }

    @Test
    void earlyMessagesOfAClosedGroupTakeNoMemory() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(2));
        for (long id = 1; id <= 20; id++) {
            Group group = new Group(id, List.of(0, 1));
            assertThat(zero.received(1, fromOne(group, MeetingNode.MOST_BYTES)))
                    .containsExactly(new Early(new MeetingKey(id, 0), 1, CALL));
            zero.closed(group);
        }
    }

    /** Other members may not know yet that their group has lost a node. */
    @Test
    void messagesOfAGroupThatHasLostANodeTakeNoMemory() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(3));
        Group all = Group.world(3);
        zero.begin(all, 0, CALL, new byte[0]);
        for (int number = 1; number < 10; number++) {
            zero.received(1, bundle(new MeetingKey(0, number), MeetingNode.MOST_BYTES));
        }
        zero.lost(2);
        for (int number = 10; number < 30; number++) {
            assertThat(zero.received(1, bundle(new MeetingKey(0, number), MeetingNode.MOST_BYTES)))
                    .isEmpty();
        }
        assertThat(zero.mayBegin(new MeetingKey(0, 1))).isFalse();
        for (int number = 0; number < 10; number++) {
            assertThat(zero.received(1, bundle(new MeetingKey(9, number), MeetingNode.MOST_BYTES)))
                    .containsExactly(new Early(new MeetingKey(9, number), 1, CALL));
        }
    }

    @Test
    void messagesOfALostNodeAreDropped() {
        MeetingNode zero = new MeetingNode(0, Topology.ofSizes(3));
        zero.received(2, new Bundle(PAIR_KEY, "gather", List.of(new byte[0])));
        zero.lost(2);
        assertThat(zero.received(1, fromOne(PAIR, 0))).containsExactly(new Early(PAIR_KEY, 1, CALL));
    }

    private static Bundle fromOne(Group group, int bytes) {
        return bundle(new MeetingKey(group.id(), 0), bytes);
    }

    private static Bundle bundle(MeetingKey key, int bytes) {
        return new Bundle(key, CALL, List.of(new byte[bytes]));
    }

    @Test
    void aNumberIsUsedOnce() {
        MeetingNode only = new MeetingNode(0, Topology.ofSizes(1));
        only.begin(Group.world(1), 3, CALL, new byte[0]);

        assertThatThrownBy(() -> only.begin(Group.world(1), 3, CALL, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(only.begin(Group.world(1), 2, CALL, new byte[0])).hasAtLeastOneElementOfType(Met.class);
    }
}
