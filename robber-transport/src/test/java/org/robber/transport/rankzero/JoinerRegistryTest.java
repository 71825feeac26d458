package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Join;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.security.Credentials;

/** Rank 0 waits for nodes that have joined. */
class JoinerRegistryTest {
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 1).withTls(TlsOptions.off());
    private static final long CALL = 3;

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> ended = new ArrayList<>();
    private final List<Long> counted = new ArrayList<>();
    private @Nullable ControlLink joinerLink;
    private final JoinerRegistry joiners = new JoinerRegistry(OPTIONS, channel.eventLoop());

    @AfterEach
    void nothingLeaks() {
        channel.finishAndReleaseAll();
        leaks.check();
    }

    /** Else the end of the job would wait for it, though the deadline has passed. */
    @Test
    void whoComesAfterTheDeadlineIsRefused() {
        oneJoins();
        joiners.drop(new RobberException(Reason.DEADLINE, List.of(), "transfer", "the deadline has passed"));
        channel.runPendingTasks();
        joiners.admission().requested(link(), join());
        assertThat(joiners.members()).hasSize(1);

        membersAreDone();
        assertThat(ended).containsExactly("ended");
    }

    private void membersAreDone() {
        joiners.awaitJoiners(CALL, () -> ended.add("ended"));
    }

    private void oneJoins() {
        Roster roster = new Roster(1, ImmutableList.of(new Member("A", "host", 1, "127.0.0.1", 1)));
        joiners.begin(
                roster,
                roster,
                message -> {},
                (rank, progress) -> counted.add(progress.bytesDone()),
                (rank, call) -> {});
        joiners.open(CALL, new JoinableMulticast(0, new Begin(0, 0, 1000, 100, "robber", "xxh3-128"), new byte[0]));
        joinerLink = link();
        joiners.admission().requested(joinerLink, join());
    }

    private ControlLink link() {
        return ControlLink.on(
                channel,
                channel.eventLoop(),
                "joiner",
                Credentials.of(OPTIONS).listening(),
                ControlType.FROM_JOINER,
                Duration.ofMinutes(1),
                joiners);
    }

    private static Join join() {
        return new Join("test", null, "host", 2, ImmutableList.of(""), 0);
    }

    @Test
    void rankZeroWaitsForAJoinerUntilItIsGone() {
        oneJoins();
        membersAreDone();
        assertThat(joiners.isWaiting()).isTrue();

        channel.close();
        channel.runPendingTasks();

        assertThat(joiners.isWaiting()).isFalse();
        assertThat(ended).containsExactly("ended");
    }

    /** One that lies could hold the job for ever. */
    @Test
    void onlyProgressThatHasToEndCounts() {
        oneJoins();
        ControlLink joiner = Objects.requireNonNull(joinerLink);
        joiners.received(joiner, progress(500));
        joiners.received(joiner, progress(400));
        joiners.received(joiner, progress(500));
        joiners.received(joiner, progress(1001));
        assertThat(counted).containsExactly(500L);

        joiners.received(joiner, progress(1000));
        assertThat(counted).containsExactly(500L, 1000L);
    }

    private static Progress progress(long bytesDone) {
        return new Progress("transfer", bytesDone, 1000, ImmutableSortedMap.of());
    }

    @Test
    void rankZeroWaitsNoLongerWhenTheJobHasFailed() {
        oneJoins();
        membersAreDone();

        joiners.jobFailed(new Fail(5, ImmutableList.of(0), "multicast", "a node was lost"));

        assertThat(joiners.isWaiting()).isFalse();
        assertThat(ended).isEmpty();
    }
}
