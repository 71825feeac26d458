package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.robber.CollectiveCase.Begun;
import org.robber.core.random.SeededRandom;

/**
 * Calls that are under way at the same time, in groups that overlap.
 *
 * @param calls in the order in which each group begins them
 */
record RandomCalls(List<Call> calls, long seed) {
    /** No call of this size takes so long, on any machine. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** @param group the number of the group */
    record Call(int group, CollectiveCase what) {}

    static RandomCalls draw(SeededRandom random, int groups, int nodes) {
        int mostBytes = random.nextInt(8) == 0 ? 8 << 20 : 1 << (17 + random.nextInt(4));
        int count = random.nextInt(3) == 0 ? 2 + random.nextInt(4) : 1;
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(new Call(random.nextInt(groups), CollectiveCase.draw(random, nodes, mostBytes / count)));
        }
        return new RandomCalls(List.copyOf(calls), random.nextLong());
    }

    /** Makes this node's calls and compares what they bring with the model. */
    void run(List<Optional<Communicator>> groups, int worldRank) {
        SeededRandom random = SeededRandom.forUse(seed, worldRank);
        Map<String, Begun> begun = new TreeMap<>();
        for (int number : orderOfOwn(random)) {
            Call call = calls.get(number);
            Optional<Communicator> group = groups.get(call.group);
            if (group.isPresent()) {
                begun.put("call " + number + ", " + call.what, call.what.begin(group.get()));
            }
        }
        List<String> names = List.copyOf(begun.keySet());
        for (int next : random.permutation(names.size())) {
            String name = names.get(next);
            Begun ending = begun.get(name);
            try {
                assertThat(ending.operation().await(LIMIT))
                        .as("it ends within %s", LIMIT)
                        .isTrue();
                ending.check().run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("rank " + worldRank + ", " + name + ": " + e, e);
            }
        }
    }

    /** Each node begins the calls of each group in the same order, and mixes those of different groups as it likes. */
    private List<Integer> orderOfOwn(SeededRandom random) {
        Map<Integer, Deque<Integer>> byGroup = new TreeMap<>();
        for (int number = 0; number < calls.size(); number++) {
            byGroup.computeIfAbsent(calls.get(number).group, group -> new ArrayDeque<>())
                    .add(number);
        }
        List<Integer> order = new ArrayList<>();
        while (order.size() < calls.size()) {
            List<Deque<Integer>> left =
                    byGroup.values().stream().filter(each -> !each.isEmpty()).toList();
            order.add(left.get(random.nextInt(left.size())).remove());
        }
        return order;
    }

    /** All that have one call less, or less data in one call. */
    List<RandomCalls> smaller() {
        List<RandomCalls> smaller = new ArrayList<>();
        for (int number = 0; number < calls.size(); number++) {
            if (calls.size() > 1) {
                List<Call> fewer = new ArrayList<>(calls);
                fewer.remove(number);
                smaller.add(new RandomCalls(List.copyOf(fewer), seed));
            }
        }
        for (int number = 0; number < calls.size(); number++) {
            int place = number;
            Call call = calls.get(number);
            call.what.smaller().ifPresent(what -> {
                List<Call> less = new ArrayList<>(calls);
                less.set(place, new Call(call.group, what));
                smaller.add(new RandomCalls(List.copyOf(less), seed));
            });
        }
        return smaller;
    }
}
