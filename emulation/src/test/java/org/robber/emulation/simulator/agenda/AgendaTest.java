package org.robber.emulation.simulator.agenda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class AgendaTest {
    private final Agenda agenda = new Agenda();
    private final List<Integer> happened = new ArrayList<>();

    /** Notes that it happened. */
    private static final class Numbered extends ScheduledEvent {
        private final List<Integer> order;
        private final int number;

        Numbered(List<Integer> order, int number) {
            this.order = order;
            this.number = number;
        }

        @Override
        protected void happen(long nowNanos) {
            order.add(number);
        }
    }

    @Test
    void whatIsDueAtTheSameTimeHappensInTheOrderInWhichItWasPut() {
        for (int number = 0; number < 100; number++) {
            agenda.put(new Numbered(happened, number), 7);
        }
        runAll();
        assertThat(happened).isSorted().hasSize(100);
        assertThat(agenda.nowNanos()).isEqualTo(7);
        assertThat(agenda.steps()).isEqualTo(100);
    }

    @Test
    void whatIsPutAgainHappensOnceAtItsNewTime() {
        Numbered first = new Numbered(happened, 1);
        agenda.put(first, 5);
        agenda.put(new Numbered(happened, 2), 6);
        agenda.put(first, 7);
        runAll();
        assertThat(happened).containsExactly(2, 1);
    }

    @Test
    void nothingIsPutIntoThePast() {
        agenda.put(new Numbered(happened, 1), 5);
        runAll();
        assertThatThrownBy(() -> agenda.put(new Numbered(happened, 2), 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void agreesWithASortedListWhateverIsPutMovedAndRemoved() {
        SeededRuns.run(200, random -> {
            Agenda tried = new Agenda();
            List<Integer> order = new ArrayList<>();
            List<Integer> expectedOrder = new ArrayList<>();
            List<long[]> expected = new ArrayList<>();
            List<ScheduledEvent> dues = new ArrayList<>();
            for (int number = 0; number < 100; number++) {
                dues.add(new Numbered(order, number));
            }
            for (int sequence = 0; sequence < 1_000; sequence++) {
                long atNanos = tried.nowNanos() + random.nextInt(10);
                int number = random.nextInt(dues.size());
                switch (random.nextInt(6)) {
                    case 0 -> {
                        tried.remove(dues.get(number));
                        expected.removeIf(entry -> entry[2] == number);
                    }
                    case 1 -> {
                        tried.put(dues.get(number), atNanos);
                        expected.removeIf(entry -> entry[2] == number);
                        expected.add(new long[] {atNanos, sequence, number});
                    }
                    case 2, 3 -> {
                        tried.putForGood(new Numbered(order, 100 + sequence), atNanos);
                        expected.add(new long[] {atNanos, sequence, 100 + sequence});
                    }
                    default -> step(tried, expected, expectedOrder);
                }
            }
            while (!expected.isEmpty()) {
                step(tried, expected, expectedOrder);
            }
            step(tried, expected, expectedOrder);
            assertThat(order).isEqualTo(expectedOrder);
        });
    }

    private static void step(Agenda tried, List<long[]> expected, List<Integer> expectedOrder) {
        assertThat(tried.isEmpty()).isEqualTo(expected.isEmpty());
        if (expected.isEmpty()) {
            assertThat(tried.step()).isFalse();
            return;
        }
        expected.sort(Comparator.<long[]>comparingLong(entry -> entry[0]).thenComparingLong(entry -> entry[1]));
        long[] next = expected.remove(0);
        expectedOrder.add((int) next[2]);
        assertThat(tried.nextNanos()).isEqualTo(next[0]);
        assertThat(tried.step()).isTrue();
        assertThat(tried.nowNanos()).isEqualTo(next[0]);
    }

    @Test
    void aRowThatHasBegunToHappenCanBeContinued() {
        List<Integer> order = new ArrayList<>();
        agenda.putForGood(
                new ScheduledEvent() {
                    @Override
                    protected void happen(long nowNanos) {
                        order.add(1);
                        agenda.putForGood(new Numbered(order, 3), nowNanos);
                        agenda.put(new Numbered(order, 4), nowNanos);
                        agenda.putForGood(new Numbered(order, 5), nowNanos);
                    }
                },
                7);
        agenda.putForGood(new Numbered(order, 2), 7);
        runAll();
        assertThat(order).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void theLastOfARowCanPutItselfAndOthersForGoodAgain() {
        List<Integer> order = new ArrayList<>();
        agenda.putForGood(
                new ScheduledEvent() {
                    @Override
                    protected void happen(long nowNanos) {
                        order.add(order.size());
                        if (order.size() < 3) {
                            agenda.putForGood(this, nowNanos);
                        }
                        agenda.putForGood(new Numbered(order, 7), nowNanos);
                    }
                },
                7);
        runAll();
        assertThat(order).containsExactly(0, 1, 7, 3, 7, 7);
    }

    @Test
    void aRowTakesOneEntry() {
        for (int number = 0; number < 100; number++) {
            agenda.putForGood(new Numbered(happened, number), 7);
            // What happens at another time does not end it.
            agenda.put(new Numbered(happened, 1_000 + number), 8 + number);
        }
        assertThat(agenda.entries()).isEqualTo(101);
        runAll();
        assertThat(happened).hasSize(200).isSorted();
    }

    @Test
    void whatIsPutForGoodStays() {
        Numbered first = new Numbered(happened, 1);
        agenda.putForGood(first, 7);
        assertThatThrownBy(() -> agenda.put(first, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> agenda.putForGood(first, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> agenda.remove(first)).isInstanceOf(IllegalArgumentException.class);
        runAll();
        agenda.put(first, 8);
        agenda.remove(first);
        runAll();
        assertThat(happened).containsExactly(1);
    }

    private void runAll() {
        while (agenda.step()) {
            // one more
        }
    }
}
