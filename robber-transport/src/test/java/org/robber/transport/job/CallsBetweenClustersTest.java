package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;
import org.robber.Op;
import org.robber.Operation;
import org.robber.RankProgram;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Calls whose members send each other messages in several steps, as there are long lines between clusters. */
class CallsBetweenClustersTest {
    /** Longer than a node waits until it takes calls for crossed ones. */
    private static final Duration LATE = Duration.ofMillis(1_500);

    /** Rank 2 is a step ahead of rank 0, which waits for rank 1, and which is in another call meanwhile. */
    @Test
    void aStepAheadIsNoOtherCall() throws Exception {
        try (MortalJob job = MortalJob.withLongLines(2, 1)) {
            job.start(world -> {
                MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                job.opened(world.rank(), channel);
                if (world.rank() == 1) {
                    LockSupport.parkNanos(LATE.toNanos());
                }
                long[] numbers = new long[25_000];
                Arrays.fill(numbers, world.rank());
                Operation<Void> call = world.iAllReduce(numbers, Op.SUM);
                if (world.rank() == 2) {
                    LockSupport.parkNanos(LATE.toNanos());
                }
                channel.multicast(ByteBuffer.allocateDirect(10));
                channel.flush();
                assertThat(call.await(Duration.ofSeconds(30))).isTrue();
                assertThat(numbers).containsOnly(3);
            });
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    /** Whoever combines, no member gets a result. */
    @Test
    void anOperationThatThrowsEndsTheJobForAll() throws Exception {
        Op bad = Op.ofLongs("division", true, (a, b) -> a / b);
        int count = 12_000;
        List<RankProgram> programs = List.of(
                world -> world.allReduce(new long[count], bad),
                world -> world.reduce(new long[count], new long[count], bad, 1),
                world -> world.reduceScatter(new long[count], new long[count / world.size()], bad),
                world -> world.scan(new long[count], new long[count], bad),
                world -> world.exScan(new long[count], new long[count], bad));
        for (RankProgram program : programs) {
            for (int[] sizes : new int[][] {{1, 1, 1}, {3, 1}}) {
                try (MortalJob job = MortalJob.withLongLines(sizes)) {
                    job.start(world -> {
                        program.run(world);
                        world.barrier();
                    });
                    for (int rank = 0; rank < IntStream.of(sizes).sum(); rank++) {
                        assertThat(job.end(rank))
                                .as("rank %s of clusters %s, program %s", rank, sizes, programs.indexOf(program))
                                .isInstanceOfSatisfying(RobberException.class, failure -> {
                                    assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                                    assertThat(failure)
                                            .hasMessageContaining("the operation 'division' has failed at rank");
                                });
                    }
                }
            }
        }
    }
}
