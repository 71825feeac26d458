package org.robber.transport.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class ExchangeTurnsTest {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final ExchangeTurns turns = new ExchangeTurns();
    private final List<Integer> taken = new ArrayList<>();

    private CompletableFuture<Void> take(ExchangeTurns.Turn turn, int number) {
        return turn.take(() -> {
            taken.add(number);
            return DONE;
        });
    }

    /** Small calls pass at once, and as many may be under way behind a large one as the members have memory for. */
    @Test
    void thousandsOfCallsMayPassBehindOneThatTakesItsTime() {
        List<ExchangeTurns.Turn> first = new ArrayList<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        turns.inTurn(turn -> {
            first.add(turn);
            return over;
        });
        for (int call = 0; call < 20_000; call++) {
            turns.inTurn(turn -> {
                turn.pass();
                return DONE;
            });
        }
        CompletableFuture<Void> last = turns.inTurn(turn -> take(turn, 1));
        assertThat(last).isNotDone();
        take(first.get(0), 0);

        assertThat(last).isCompleted();
        assertThat(taken).containsExactly(0, 1);
    }

    @Test
    void thousandsOfExchangesMayWaitForOneThatTakesItsTime() {
        List<ExchangeTurns.Turn> first = new ArrayList<>();
        turns.inTurn(turn -> {
            first.add(turn);
            return new CompletableFuture<>();
        });
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int call = 1; call < 20_000; call++) {
            int number = call;
            all.add(turns.inTurn(turn -> take(turn, number)));
        }
        first.get(0).pass();

        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(taken)
                .containsExactlyElementsOf(IntStream.range(1, 20_000).boxed().toList());
    }

    /** Exchanges keep their order, in any order of turns that are taken and passed, and on any number of threads. */
    @Test
    void exchangesAreHandedOverInOrder() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            SeededRuns.run(300, random -> {
                ExchangeTurns anew = new ExchangeTurns();
                List<Integer> order = new ArrayList<>();
                List<ExchangeTurns.Turn> open = new ArrayList<>();
                List<Integer> expected = new ArrayList<>();
                int calls = 1 + random.nextInt(40);
                for (int call = 0; call < calls; call++) {
                    anew.inTurn(turn -> {
                        open.add(turn);
                        return new CompletableFuture<>();
                    });
                }
                List<Future<?>> done = new ArrayList<>();
                for (int call : random.permutation(calls)) {
                    boolean passes = random.nextInt(3) == 0;
                    ExchangeTurns.Turn turn = open.get(call);
                    if (!passes) {
                        expected.add(call);
                    }
                    done.add(threads.submit(() -> {
                        if (passes) {
                            turn.pass();
                        } else {
                            turn.take(() -> {
                                order.add(call);
                                return DONE;
                            });
                        }
                    }));
                }
                for (Future<?> each : done) {
                    get(each);
                }
                CompletableFuture<Void> last = anew.inTurn(turn -> turn.take(() -> DONE));
                get(last);
                assertThat(order).isEqualTo(expected.stream().sorted().toList());
            });
        } finally {
            threads.shutdownNow();
        }
    }

    private static void get(Future<?> future) {
        try {
            future.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
