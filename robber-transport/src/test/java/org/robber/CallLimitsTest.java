package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.RobberException.Reason;

/** Calls in which a node waits for another that does not come: deadlines, interruptions, and giving up. */
@Timeout(60)
class CallLimitsTest {
    private static final int LARGE = 1_000_000;

    /** A blocking call, of all nodes or of one. */
    private record Call(String name, RankProgram program) {}

    private static final List<Call> CALLS = List.of(
            new Call("barrier", Communicator::barrier),
            new Call("bcast", world -> world.bcast(new byte[LARGE], 1)),
            new Call("bcastUpTo", world -> world.bcastUpTo(new byte[LARGE], 1)),
            new Call("allReduce", world -> world.allReduce(new int[LARGE], Op.SUM)),
            new Call("split", world -> world.split(0, 0)),
            new Call("shrink", Communicator::shrink),
            new Call("openStream", world -> world.openStream(1)),
            new Call("connect", world -> world.multicastChannel(ChannelOptions.defaults())));

    /** Rank 0 makes the call, and rank 1 does not, until rank 0 has thrown something, which is returned. */
    private static Throwable alone(RankProgram program) {
        CountDownLatch thrown = new CountDownLatch(1);
        Throwable[] failure = new Throwable[1];
        Throwable other = null;
        try (LocalJob job = Robber.local(1, 2)) {
            try {
                job.run(world -> {
                    if (world.rank() == 1) {
                        thrown.await();
                        return;
                    }
                    failure[0] = catchThrowable(() -> program.run(world));
                    boolean unused = Thread.interrupted();
                    thrown.countDown();
                });
            } catch (RobberException e) {
                other = e;
            }
        }
        assertThat(other).as("the program of another node").isNull();
        return failure[0];
    }

    @Test
    void blockingCallsEndAtTheirDeadline() {
        for (Call call : CALLS) {
            Throwable failure = alone(world -> {
                world.limitCalls(Duration.ofMillis(100));
                call.program.run(world);
            });
            assertThat(failure).as(call.name).isInstanceOfSatisfying(RobberException.class, late -> {
                assertThat(late.reason()).as(late.toString()).isEqualTo(Reason.DEADLINE);
                assertThat(late.ranks()).containsExactly(0);
                assertThat(late)
                        .hasMessageContaining(call.name.replace("UpTo", ""))
                        .hasMessageContaining("0.1s");
            });
        }
    }

    /** The channel is open when the limit is set: only the multicast is late. */
    @Test
    void multicastsOfChannelsEndAtTheirDeadline() {
        assertMulticastEnds(world -> world, "multicast");
        assertMulticastEnds(Communicator::splitByCluster, "bcast");
    }

    private static void assertMulticastEnds(UnaryOperator<Communicator> group, String call) {
        CountDownLatch thrown = new CountDownLatch(1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                Communicator nodes = group.apply(world);
                MulticastChannel channel = nodes.multicastChannel(ChannelOptions.defaults());
                if (world.rank() == 1) {
                    thrown.await();
                    return;
                }
                nodes.limitCalls(Duration.ofMillis(100));
                failures.add(catchThrowable(() -> {
                    channel.multicast(new byte[LARGE], 0);
                    channel.flush();
                }));
                thrown.countDown();
            });
        } catch (RobberException e) {
            assertThat(e.reason()).isNotEqualTo(Reason.INTERNAL);
        }
        assertThat(failures).singleElement().isInstanceOfSatisfying(RobberException.class, late -> {
            assertThat(late.reason()).as(late.toString()).isEqualTo(Reason.DEADLINE);
            assertThat(late).hasMessageContaining(call).hasMessageContaining("0.1s");
        });
    }

    @Test
    void blockingCallsCanBeInterrupted() {
        for (Call call : CALLS) {
            Throwable failure = alone(world -> {
                Thread.currentThread().interrupt();
                call.program.run(world);
            });
            assertThat(failure).as(call.name).isInstanceOfSatisfying(RobberException.class, interrupted -> {
                assertThat(interrupted.reason()).as(interrupted.toString()).isEqualTo(Reason.INTERRUPTED);
                assertThat(interrupted.ranks()).containsExactly(0);
            });
        }
    }

    /** The first call of the late node may have come through, so there is a second one. */
    @Test
    void othersLearnThatADeadlineHasPassed() {
        CountDownLatch thrown = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world -> {
                        if (world.rank() == 0) {
                            thrown.await();
                            world.barrier();
                            world.barrier();
                        } else {
                            world.limitCalls(Duration.ofMillis(100));
                            assertThatThrownBy(world::barrier).isInstanceOf(RobberException.class);
                            thrown.countDown();
                        }
                    }))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("until its deadline of 0.1s");
        }
    }

    /** The call cannot end before the cancellation: the third node makes it afterwards. */
    @Test
    void othersLearnThatANodeHasGivenUp() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        switch (world.rank()) {
                            case 0 -> {
                                begun.await();
                                world.iAllReduce(new int[LARGE], Op.SUM).cancel();
                                cancelled.countDown();
                            }
                            case 1 -> {
                                Operation<Void> never = world.iAllReduce(new int[LARGE], Op.SUM);
                                begun.countDown();
                                never.await();
                            }
                            default -> {
                                cancelled.await();
                                world.allReduce(new int[LARGE], Op.SUM);
                            }
                        }
                    }))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("rank 0 has cancelled 'allReduce");
        }
    }

    @Test
    void aWaitWithALimitGoesOn() {
        CountDownLatch waited = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                int[] sum = {1 + world.rank()};
                if (world.rank() == 1) {
                    waited.await();
                    world.allReduce(sum, Op.SUM);
                } else {
                    Operation<Void> pending = world.iAllReduce(sum, Op.SUM);
                    assertThat(pending.await(Duration.ofMillis(50))).isFalse();
                    assertThat(pending.test()).isFalse();
                    assertThat(pending.progress()).isZero();
                    waited.countDown();
                    assertThat(pending.await(Duration.ofSeconds(30))).isTrue();
                    assertThat(pending.toCompletionStage().toCompletableFuture().join())
                            .isNull();
                }
                assertThat(sum).containsExactly(3);
            });
        }
    }

    @Test
    void theStageOfAnOperationFailsAsTheOperation() {
        Throwable failure = alone(world -> {
            AtomicReference<Throwable> told = new AtomicReference<>();
            Operation<Long> pending = world.iBcastUpTo(new byte[LARGE], 1);
            CompletionStage<Long> stage = pending.toCompletionStage();
            CompletionStage<Long> watched = stage.whenComplete((count, problem) -> told.set(problem));
            pending.cancel();
            assertThatThrownBy(watched.toCompletableFuture()::join).isInstanceOf(CompletionException.class);
            throw (RobberException) told.get();
        });
        assertThat(failure)
                .isInstanceOfSatisfying(
                        RobberException.class,
                        cancelled -> assertThat(cancelled.reason()).isEqualTo(Reason.INTERRUPTED));
    }

    @Test
    void aCancelledOperationFails() {
        Throwable failure = alone(world -> {
            Operation<Long> pending = world.iBcastUpTo(new byte[LARGE], 1);
            pending.cancel();
            try {
                pending.toCompletionStage().toCompletableFuture().join();
            } catch (CompletionException e) {
                throw (RobberException) e.getCause();
            }
        });
        assertThat(failure)
                .isInstanceOfSatisfying(
                        RobberException.class,
                        cancelled -> assertThat(cancelled.reason()).isEqualTo(Reason.INTERRUPTED));
    }

    @Test
    void readersAndWritersOfAStreamCanBeInterrupted() {
        for (int root : new int[] {0, 1}) {
            try (LocalJob job = Robber.local(1, 2)) {
                CountDownLatch over = new CountDownLatch(1);
                Throwable outcome = catchThrowable(() -> job.run(world -> {
                    MulticastStream stream = world.openStream(root);
                    if (world.rank() == 1) {
                        over.await();
                        return;
                    }
                    Thread.currentThread().interrupt();
                    Throwable failure = catchThrowable(() -> {
                        if (root == 0) {
                            stream.write(ByteBuffer.allocate(100_000_000));
                        } else {
                            stream.read(ByteBuffer.allocate(1));
                        }
                    });
                    boolean unused = Thread.interrupted();
                    over.countDown();
                    assertThat(failure)
                            .isInstanceOfSatisfying(
                                    RobberException.class,
                                    end -> assertThat(end.reason()).isEqualTo(Reason.INTERRUPTED));
                }));
                assertThat(outcome).as("root %s", root).isNull();
            }
        }
    }
}
