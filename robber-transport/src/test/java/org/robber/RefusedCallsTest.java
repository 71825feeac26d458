package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException.Reason;

/** A refused call is none: the node corrects it, and the job goes on. */
@Timeout(60)
class RefusedCallsTest {
    private static final int BYTES = 2 << 20;

    private static byte[] data() {
        byte[] data = new byte[BYTES];
        Arrays.fill(data, (byte) 7);
        return data;
    }

    private static void multicast(Communicator nodes, MulticastChannel channel) {
        byte[] data = nodes.rank() == 0 ? data() : new byte[BYTES];
        channel.multicast(data, 0);
        channel.flush();
        assertThat(data).isEqualTo(data());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChannelOfAnUnknownStrategyOrDigest(boolean ofAll) {
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                Communicator nodes =
                        ofAll ? world : world.split(world.rank() / 2, 0).orElseThrow();
                if (nodes.rank() == nodes.size() - 1) {
                    ChannelOptions options = ChannelOptions.defaults();
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> nodes.multicastChannel(options.withStrategy("nosuch")));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> nodes.multicastChannel(options.withDigest("sha1")));
                }
                try (MulticastChannel channel = nodes.multicastChannel(ChannelOptions.defaults())) {
                    multicast(nodes, channel);
                }
            });
        }
    }

    @Test
    void stripesThatEndInAPiece() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    if (world.rank() == 1) {
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> channel.multicast(
                                        Storage.of(ByteBuffer.allocate(BYTES)),
                                        List.of(new RootStripe(0, 7), new RootStripe(1, BYTES))));
                    }
                    multicast(world, channel);
                }
            });
        }
    }

    @Test
    void aStorageThatNothingCanBeReceivedInto() {
        Storage fixed = Storage.of(ByteBuffer.wrap(data()).asReadOnlyBuffer());
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    if (world.rank() == 1) {
                        assertThatIllegalArgumentException().isThrownBy(() -> world.bcast(fixed, 0));
                        assertThatIllegalArgumentException().isThrownBy(() -> channel.multicast(fixed, 0));
                        assertThatIllegalArgumentException().isThrownBy(() -> channel.resume(fixed, 0));
                        List<RootStripe> halves = List.of(new RootStripe(0, BYTES / 2), new RootStripe(1, BYTES));
                        assertThatIllegalArgumentException().isThrownBy(() -> channel.multicast(fixed, halves));
                    }
                    Storage data = world.rank() == 0 ? fixed : Storage.allocateDirect(BYTES);
                    world.bcast(data, 0);
                    channel.multicast(data, 0);
                }
            });
        }
    }

    /** Rank 1 takes part in the barrier only after the close was refused. */
    @Test
    void theCloseOfAChannelInACallOfAnotherThread() {
        CountDownLatch refused = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                Communicator group = channel.communicator();
                if (world.rank() == 0) {
                    Thread waiter = new Thread(group::barrier);
                    waiter.start();
                    while (waiter.getState() != Thread.State.WAITING
                            && waiter.getState() != Thread.State.TIMED_WAITING) {
                        Thread.onSpinWait();
                    }
                    assertThatThrownBy(channel::close)
                            .hasMessageContaining("another thread is in a call of this communicator");
                    refused.countDown();
                    assertThatCode(waiter::join).doesNotThrowAnyException();
                } else {
                    assertThatCode(refused::await).doesNotThrowAnyException();
                    group.barrier();
                }
                multicast(world, channel);
                channel.close();
                world.barrier();
            });
        }
    }

    /** Rank 1 sends only after all calls of the second thread were refused. */
    @ParameterizedTest
    @ValueSource(ints = {8, BYTES})
    void callsOfAChannelInACallOfAnotherThread(int bytes) {
        CountDownLatch refused = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    byte[] sent = Arrays.copyOf(data(), bytes);
                    if (world.rank() == 1) {
                        assertThatCode(refused::await).doesNotThrowAnyException();
                        channel.multicast(sent, 1);
                        return;
                    }
                    byte[] received = new byte[bytes];
                    Thread receiver = new Thread(() -> channel.multicast(received, 1));
                    receiver.start();
                    while (receiver.getState() != Thread.State.WAITING
                            && receiver.getState() != Thread.State.TIMED_WAITING) {
                        Thread.onSpinWait();
                    }
                    try {
                        assertThat(List.<ThrowingCallable>of(
                                        () -> channel.multicast(new byte[bytes], 1),
                                        () -> channel.resume(Storage.allocateDirect(bytes), 1),
                                        channel::flush,
                                        channel::close))
                                .allSatisfy(call -> assertThatThrownBy(call)
                                        .isInstanceOfSatisfying(
                                                RobberException.class,
                                                failure -> assertThat(failure.reason())
                                                        .isEqualTo(Reason.USAGE))
                                        .hasMessageContaining("another thread is in a call of this channel"));
                    } finally {
                        refused.countDown();
                    }
                    assertThatCode(receiver::join).doesNotThrowAnyException();
                    assertThat(received).isEqualTo(sent);
                }
            });
        }
    }

    @Test
    void limitsThatAreNone() {
        JobOptions options = JobOptions.of("job", "127.0.0.1", 0, 0, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> options.withStallTimeout(Duration.ofMillis(249)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withStallTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withSilenceTimeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withConnectTimeout(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withPeerStallTimeout(Duration.ZERO));
    }

    /** Its loops and connections end with it. */
    @Test
    void aLocalJobThatOneNodeCannotJoin() throws InterruptedException {
        long before = loops();
        assertThatThrownBy(() -> Robber.local(
                        1, 4, options -> options.rank() == 3 ? options.withRelays(List.of("nosuch")) : options))
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("nosuch");
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("robber-io") || thread.getName().startsWith("robber-local")) {
                thread.join(TimeUnit.SECONDS.toMillis(20));
            }
        }
        assertThat(loops()).isLessThanOrEqualTo(before);
    }

    private static long loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("robber-io"))
                .count();
    }
}
