package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.robber.core.random.SeededRandom;

/** A collective call with all its arguments, and what it must bring by a sequential model. For groups of any size. */
interface CollectiveCase {
    /** A call that has begun. */
    record Begun(Operation<?> operation, Runnable check) {}

    /** Begins the call at one node; every node of the group does so. */
    Begun begin(Communicator group);

    /** The same call with less data, if there is one. */
    Optional<CollectiveCase> smaller();

    /**
     * A call of any kind.
     *
     * @param mostBytes how much all nodes together may hold, roughly
     */
    static CollectiveCase draw(SeededRandom random, int mostNodes, int mostBytes) {
        return switch (random.nextInt(11)) {
            case 0 -> new BarrierCase();
            case 1, 2, 3, 4 -> ReductionCase.draw(random, mostNodes, mostBytes);
            default -> MovementCase.draw(random, mostNodes, mostBytes);
        };
    }

    /** A number of elements: often 0, 1 or few, sometimes as many as there may be. */
    static int drawCount(SeededRandom random, int most) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> Math.min(1, most);
            case 2 -> Math.min(2 * random.nextInt(20) + 1, most);
            case 3 -> random.nextInt(most + 1);
            default -> (int) Math.pow(most + 1.0, random.nextDouble());
        };
    }

    /** A seed for one of several uses of another. */
    static SeededRandom random(long seed, int... uses) {
        return SeededRandom.forUse(seed, Arrays.hashCode(uses));
    }

    /** Fails unless both images are equal. */
    static void assertSame(String what, byte[] actual, byte[] expected) {
        int different = Arrays.mismatch(actual, expected);
        assertThat(different)
                .as("%s: the first different byte, of %s and %s", what, actual.length, expected.length)
                .isEqualTo(-1);
    }

    /** A call without data. That all wait for all is another test's. */
    record BarrierCase() implements CollectiveCase {
        @Override
        public Begun begin(Communicator group) {
            return new Begun(group.iBarrier(), () -> {});
        }

        @Override
        public Optional<CollectiveCase> smaller() {
            return Optional.empty();
        }
    }
}
