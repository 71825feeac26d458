package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

class LocalJobTest {
    private static final long LIMIT_SECONDS = 60;

    @Test
    void allNodesOfAJobRunInOneProcess() {
        byte[] data = new byte[1_234_567];
        new Random(3).nextBytes(data);
        try (LocalJob job = Robber.local(2, 3)) {
            job.run(world -> {
                assertThat(world.size()).isEqualTo(6);
                assertThat(world.clusters()).containsExactly("A", "B");
                assertThat(world.nodeName(4)).isEqualTo("B-1");
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[data.length];
                    channel.multicast(here);
                    assertThat(here).isEqualTo(data);
                }
            });
        }
    }

    @Test
    void refusesMoreNodesThanAProcessHolds() {
        for (int[] size : new int[][] {{1, 1025}, {1025, 1}, {100_000, 100_000}}) {
            assertThatThrownBy(() -> Robber.local(size[0], size[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 1024 nodes");
        }
    }

    @Test
    void refusesAJobWithoutAName() {
        assertThatThrownBy(() -> JobOptions.of(" ", "127.0.0.1", 0, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }

    @Test
    void nodesKeepTheirSettings() {
        byte[] data = new byte[2 << 20];
        long beginNanos = System.nanoTime();
        try (LocalJob job = Robber.local(1, 2, options -> options.withSendLimits(new SendLimits(1 << 20, 0)))) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    channel.multicast(world.rank() == 0 ? data : new byte[data.length]);
                }
            });
        }
        assertThat(System.nanoTime() - beginNanos).as("at 1 MiB/s").isGreaterThan(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void smallThingsGoByTheControlConnections() {
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                world.control().barrier();
                byte[] mine = ("rank " + world.rank()).getBytes(StandardCharsets.UTF_8);
                List<byte[]> all = world.control().gather(mine);
                if (world.rank() == 0) {
                    assertThat(all).hasSize(4);
                    assertThat(all.get(3)).asString(StandardCharsets.UTF_8).isEqualTo("rank 3");
                } else {
                    assertThat(all).isEmpty();
                }
                assertThat(world.control().broadcast(mine))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("rank 0");
                assertThat(world.control().agree(mine, told -> told.get(2)))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("rank 2");
            });
        }
    }

    @Test
    void whatADecisionThrowsEndsTheJob() {
        RobberException shortage = new RobberException(Reason.DESTINATION, List.of(1), "prepare", "no room");
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> assertThatThrownBy(() -> world.control().agree(new byte[0], told -> {
                        throw shortage;
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
                        assertThat(failure.ranks()).containsExactly(1);
                        assertThat(failure).hasMessage("no room");
                    }));
        }
    }

    /** Whichever node comes last, and so runs it on its connection. */
    @Test
    void aDecisionThatHasADefectEndsTheJob() {
        for (int last = 0; last < 2; last++) {
            int lastRank = last;
            CountDownLatch first = new CountDownLatch(1);
            try (LocalJob job = Robber.local(2, 1)) {
                job.run(world -> {
                    if (world.rank() == lastRank) {
                        first.await();
                    } else {
                        first.countDown();
                    }
                    assertThatThrownBy(() -> world.control().agree(new byte[0], told -> {
                                throw new AssertionError("on purpose");
                            }))
                            .isInstanceOfSatisfying(
                                    RobberException.class,
                                    failure -> assertThat(failure.reason()).isEqualTo(Reason.INTERNAL))
                            .hasMessageContaining("on purpose");
                });
            }
        }
    }

    @Test
    void aSingleNodeIsAJobToo() {
        try (LocalJob job = Robber.local(1, 1)) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    byte[] data = {1, 2, 3};
                    channel.multicast(data);
                    channel.multicast(data);
                    assertThat(data).containsExactly(1, 2, 3);
                }
            });
        }
    }

    @Test
    void callsThatDoNotMatchAreNamedInsteadOfWaitedFor() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        if (world.rank() == 2) {
                            world.barrier();
                        } else {
                            world.multicastChannel(ChannelOptions.defaults());
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure.ranks()).contains(2);
                        assertThat(failure).hasMessageContaining("barrier").hasMessageContaining("open channel");
                    });
        }
    }

    @Test
    void otherSizesOnOtherNodesAreNamed() {
        try (LocalJob job = Robber.local(2, 1)) {
            assertThatThrownBy(() -> job.run(world -> {
                        try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                            channel.multicast(new byte[world.rank() == 0 ? 1000 : 1001]);
                            channel.flush();
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure).hasMessageContaining("1000").hasMessageContaining("1001");
                    });
        }
    }

    @Test
    void aProgramThatThrowsEndsTheJobForAll() {
        try (LocalJob job = Robber.local(2, 2)) {
            assertThatThrownBy(() -> job.run(world -> {
                        if (world.rank() == 3) {
                            throw new IllegalStateException("out of cheese");
                        }
                        world.barrier();
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.ranks()).containsExactly(3);
                        assertThat(failure).hasMessageContaining("out of cheese");
                    });
        }
    }

    @Test
    void aProgramThatUsesAClosedCommunicatorEndsTheJobForAll() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        Communicator group = world.group(0, 1, 2).orElseThrow();
                        group.close();
                        if (world.rank() == 1) {
                            group.barrier();
                        }
                        world.barrier();
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure.ranks()).containsExactly(1);
                    })
                    .hasMessageContaining("the communicator is closed");
        }
    }

    @Test
    void aJobThatIsClosedWhileItsProgramRunsEnds() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LocalJob job = Robber.local(1, 3)) {
            CountDownLatch running = new CountDownLatch(3);
            Future<?> run = threads.submit(() -> job.run(world -> {
                running.countDown();
                if (world.rank() == 2) {
                    new CountDownLatch(1).await();
                }
                world.barrier();
            }));
            assertThat(running.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();

            threads.submit(job::close).get(LIMIT_SECONDS, TimeUnit.SECONDS);

            assertThatThrownBy(() -> run.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RobberException.class)
                    .hasMessageContaining("closed while its program ran");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void unknownStrategiesAreRefusedWithTheListOfTheKnown() {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world ->
                            world.multicastChannel(ChannelOptions.defaults().withStrategy("carrier-pigeon"))))
                    .hasMessageContaining("carrier-pigeon")
                    .hasMessageContaining("robber");
        }
    }
}
