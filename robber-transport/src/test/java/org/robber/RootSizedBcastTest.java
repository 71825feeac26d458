package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

/** Failures of broadcasts of which only the root knows the size, and of striped ones. That they work is tested by {@link RandomCollectivesTest}. */
class RootSizedBcastTest {
    private static final int[] SIZES = {12, 800_000};

    /** Every rank throws this, about the given rank. */
    private static void assertFails(RankProgram program, int about, String... words) {
        List<RobberException> failures = new CopyOnWriteArrayList<>();
        try (LocalJob job = Robber.local(2, 2)) {
            assertThatThrownBy(() -> job.run(world -> {
                        try {
                            program.run(world);
                            // Few data are there before another node fails.
                            world.barrier();
                        } catch (RobberException e) {
                            failures.add(e);
                            throw e;
                        }
                    }))
                    .isInstanceOf(RobberException.class);
        }
        assertThat(failures).hasSize(4).allSatisfy(failure -> {
            assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.USAGE);
            assertThat(failure.ranks()).contains(about);
            assertThat(failure).hasMessageContainingAll(words);
        });
    }

    @Test
    void aPlaceThatIsTooSmallIsNamed() {
        for (int count : SIZES) {
            assertFails(
                    world -> world.bcastUpTo(new int[world.rank() == 2 ? count - 1 : count], 1),
                    2,
                    "rank 2 has room for " + (count - 1) + " elements",
                    "rank 1 has " + count);
        }
    }

    @Test
    void elementsOfAnotherTypeAreNamed() {
        for (int count : SIZES) {
            assertFails(
                    world -> world.bcastUpTo(world.rank() == 3 ? new float[count] : new int[count], 0),
                    3,
                    "rank 3 has elements of type float",
                    "rank 0 of type int");
        }
    }

    @Test
    void anAllocatorThatFailsIsNamed() {
        for (int count : SIZES) {
            assertFails(
                    world -> world.<Object>bcast(
                            new int[count],
                            room -> {
                                if (world.rank() == 2) {
                                    throw new IllegalStateException("no room");
                                }
                                return new int[room];
                            },
                            0),
                    2,
                    "the allocator of rank 2 has failed",
                    "no room");
            assertFails(
                    world -> world.<Object>bcast(
                            new int[count], room -> world.rank() == 2 ? new int[room - 1] : new int[room], 0),
                    2,
                    "it has made " + (count - 1) + " int, and the root has " + count + " int");
            assertFails(
                    world -> world.<Object>bcast(new int[count], room -> world.rank() == 2 ? null : new int[room], 0),
                    2,
                    "what the allocator has made is null");
        }
    }

    @Test
    void elementsThatNobodyHasAreNamed() {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world -> world.bcast(
                            new int[10], List.of(new ElementRange(4L * world.rank(), 4L * world.rank() + 3)))))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure).hasMessageContaining("no node has elements 3 to 3");
                    });
        }
    }

    @Test
    void stripesThatDifferAreNamed() {
        for (int count : SIZES) {
            try (LocalJob job = Robber.local(1, 2)) {
                assertThatThrownBy(() -> job.run(world -> {
                            int[] data = new int[count];
                            data[count / 2] = world.rank();
                            int half = count / 4;
                            world.bcast(
                                    data,
                                    world.rank() == 0
                                            ? List.of(new ElementRange(0, half), new ElementRange(half, count))
                                            : List.of(new ElementRange(half, count)));
                        }))
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).isEqualTo(Reason.INTEGRITY);
                            assertThat(failure).hasMessageContaining("differ from those of the other ranks");
                        });
            }
        }
    }
}
