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

    private final class Numbered extends Due {
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        protected void happen(long nowNanos) {
            happened.add(number);
        }
    }

    @Test
    void whatIsDueAtTheSameTimeHappensInTheOrderInWhichItWasPut() {
        for (int number = 0; number < 100; number++) {
            agenda.put(new Numbered(number), 7);
        }
        runAll();
        assertThat(happened).isSorted().hasSize(100);
        assertThat(agenda.nowNanos()).isEqualTo(7);
        assertThat(agenda.steps()).isEqualTo(100);
    }

    @Test
    void whatIsPutAgainHappensOnceAtItsNewTime() {
        Numbered first = new Numbered(1);
        agenda.put(first, 5);
        agenda.put(new Numbered(2), 6);
        agenda.put(first, 7);
        runAll();
        assertThat(happened).containsExactly(2, 1);
    }

    @Test
    void nothingIsPutIntoThePast() {
        agenda.put(new Numbered(1), 5);
        runAll();
        assertThatThrownBy(() -> agenda.put(new Numbered(2), 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void agreesWithASortedListWhateverIsPutMovedAndRemoved() {
        SeededRuns.run(200, random -> {
            Agenda tried = new Agenda();
            List<Integer> order = new ArrayList<>();
            List<long[]> expected = new ArrayList<>();
            List<Due> dues = new ArrayList<>();
            for (int number = 0; number < 100; number++) {
                dues.add(added(order, number));
            }
            for (int sequence = 0; sequence < 500; sequence++) {
                long atNanos = random.nextInt(10);
                if (random.nextInt(3) == 0) {
                    int number = 100 + sequence;
                    tried.putForGood(added(order, number), atNanos);
                    expected.add(new long[] {atNanos, sequence, number});
                    continue;
                }
                int number = random.nextInt(dues.size());
                expected.removeIf(entry -> entry[2] == number);
                if (random.nextInt(4) == 0) {
                    tried.remove(dues.get(number));
                } else {
                    tried.put(dues.get(number), atNanos);
                    expected.add(new long[] {atNanos, sequence, number});
                }
            }
            for (int left = expected.size(); left > 0; left--) {
                assertThat(tried.isEmpty()).isFalse();
                long nextNanos = tried.nextNanos();
                assertThat(tried.step()).isTrue();
                assertThat(tried.nowNanos()).isEqualTo(nextNanos);
            }
            assertThat(tried.isEmpty()).isTrue();
            assertThat(tried.step()).isFalse();
            expected.sort(Comparator.<long[]>comparingLong(entry -> entry[0]).thenComparingLong(entry -> entry[1]));
            assertThat(order)
                    .isEqualTo(expected.stream().map(entry -> (int) entry[2]).toList());
        });
    }

    @Test
    void aRowThatHasBegunToHappenCanBeContinued() {
        List<Integer> order = new ArrayList<>();
        agenda.putForGood(
                new Due() {
                    @Override
                    protected void happen(long nowNanos) {
                        order.add(1);
                        agenda.putForGood(added(order, 3), nowNanos);
                        agenda.put(added(order, 4), nowNanos);
                        agenda.putForGood(added(order, 5), nowNanos);
                    }
                },
                7);
        agenda.putForGood(added(order, 2), 7);
        runAll();
        assertThat(order).containsExactly(1, 2, 3, 4, 5);
    }

    private static Due added(List<Integer> order, int number) {
        return new Due() {
            @Override
            protected void happen(long nowNanos) {
                order.add(number);
            }
        };
    }

    private void runAll() {
        while (agenda.step()) {
            // one more
        }
    }
}
