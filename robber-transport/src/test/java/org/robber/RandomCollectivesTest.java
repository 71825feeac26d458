package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/**
 * Every collective call, with random arguments, in random groups and clusters, and several at a time, against a sequential model. A job serves many
 * cases. {@code -Drobber.scale=34} runs 10,200 cases.
 */
class RandomCollectivesTest {
    private static final int JOBS = 12;
    private static final int CASES_PER_JOB = 25;
    private static final int MOST_NODES = 9;
    private static final int MOST_CLUSTERS = 5;
    private static final int MOST_GROUPS = 4;
    private static final int MOST_ATTEMPTS = 20;

    private static final long MUCH_BYTES_PER_SECOND = 100_000_000_000L;

    private static final List<String> STRATEGIES =
            List.of("robber", "robber", "robber", "robber", "flat", "binomial", "chain", "mob", "bittorrent");

    /**
     * @param clusters the name of each node's cluster, by rank
     * @param options of each group; with a piece size, all calls of more than a few bytes go in pieces
     * @param limited the ranks whose sending is limited; if there are any, larger calls do not go through shared memory
     */
    private record Plan(
            List<String> clusters,
            List<GroupPlan> groups,
            List<ChannelOptions> options,
            Set<Integer> limited,
            List<RandomCalls> cases) {

        static Plan draw(SeededRandom random) {
            int nodes = 1 + random.nextInt(MOST_NODES);
            int most = 1 + random.nextInt(MOST_CLUSTERS);
            List<String> clusters = new ArrayList<>();
            List<GroupPlan> groups = new ArrayList<>(List.of(GroupPlan.ALL));
            for (int rank = 0; rank < nodes; rank++) {
                // The first are more likely: clusters of unequal sizes, and scattered ranks.
                clusters.add(String.valueOf((char) ('A' + random.nextInt(1 + random.nextInt(most)))));
            }
            for (int i = random.nextInt(MOST_GROUPS); i > 0; i--) {
                groups.add(GroupPlan.draw(random, nodes));
            }
            List<RandomCalls> cases = new ArrayList<>();
            for (int i = 0; i < CASES_PER_JOB; i++) {
                cases.add(RandomCalls.draw(random, groups.size(), nodes));
            }
            List<ChannelOptions> options = groups.stream()
                    .map(group -> ChannelOptions.defaults()
                            .withStrategy(STRATEGIES.get(random.nextInt(STRATEGIES.size())))
                            .withPieceBytes(random.nextBoolean() ? 0 : 1 << (13 + random.nextInt(6))))
                    .toList();
            Set<Integer> limited = random.nextBoolean() ? Set.of() : Set.of(random.nextInt(nodes));
            return new Plan(clusters, groups, options, limited, cases);
        }

        /** Runs it; returns the first case that fails, or null. */
        @Nullable
        Failure run() {
            AtomicReference<@Nullable Failure> first = new AtomicReference<>();
            try (LocalJob job = new LocalJob(clusters, this::limit)) {
                job.run(world -> {
                    List<Optional<Communicator>> made = make(world);
                    for (RandomCalls each : cases) {
                        try {
                            each.run(made, world.rank());
                        } catch (RuntimeException | AssertionError e) {
                            first.compareAndSet(null, new Failure(each, e));
                            throw e;
                        }
                    }
                });
            } catch (RobberException e) {
                Failure failure = first.get();
                if (failure == null) {
                    throw e;
                }
                return failure;
            }
            return null;
        }

        private JobOptions limit(JobOptions options) {
            return limited.contains(options.rank())
                    ? options.withSendLimits(new SendLimits(MUCH_BYTES_PER_SECOND, 0))
                    : options;
        }

        private List<Optional<Communicator>> make(Communicator world) {
            List<Optional<Communicator>> made = new ArrayList<>();
            for (int number = 0; number < groups.size(); number++) {
                GroupPlan plan = groups.get(number);
                ChannelOptions chosen = options.get(number);
                Optional<Communicator> group = plan.make(world).map(each -> each.withOptions(chosen));
                List<Integer> members = group.map(each -> IntStream.range(0, each.size())
                                .mapToObj(each::worldRank)
                                .toList())
                        .orElse(List.of());
                assertThat(members).as("%s", plan).isEqualTo(plan.members(clusters, world.rank()));
                made.add(group);
            }
            return made;
        }

        private Plan with(RandomCalls only) {
            return new Plan(clusters, groups, options, limited, List.of(only));
        }

        /** A case that fails alone, as small as a few attempts can make it; what is given, if it does not fail alone. */
        Failure shrink(Failure failure) {
            Failure smallest = with(failure.calls).run();
            if (smallest == null) {
                return failure;
            }
            int attempts = 0;
            boolean smaller = true;
            while (smaller) {
                smaller = false;
                for (RandomCalls candidate : smallest.calls.smaller()) {
                    Failure again = attempts++ < MOST_ATTEMPTS ? with(candidate).run() : null;
                    if (again != null) {
                        smallest = again;
                        smaller = true;
                        break;
                    }
                }
            }
            return smallest;
        }
    }

    private record Failure(RandomCalls calls, Throwable why) {}

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void callsBringWhatTheModelSays() {
        SeededRuns.run(JOBS, random -> {
            Plan plan = Plan.draw(random);
            Failure failure = plan.run();
            if (failure != null) {
                Failure smallest = plan.shrink(failure);
                throw new AssertionError(
                        "clusters " + plan.clusters + ", groups " + plan.groups + ", options " + plan.options
                                + ", limited " + plan.limited
                                + "\n"
                                + failure.calls + "\n" + failure.why + "\n"
                                + (smallest.equals(failure) ? "does not fail alone" : "smallest: " + smallest),
                        failure.why);
            }
        });
    }
}
