package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.Credentials;

class MemberLinksTest {
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 2).withTls(TlsOptions.off());

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Integer> lost = new ArrayList<>();
    private final ControlLink link = ControlLink.on(
            channel,
            channel.eventLoop(),
            "rank 1",
            Credentials.of(OPTIONS).listening(),
            ControlType.FROM_MEMBER,
            Duration.ofMinutes(1),
            new ControlLinkListener() {
                @Override
                public void received(ControlLink from, ControlMessage message) {}

                @Override
                public void ended(ControlLink which, String why) {
                    lost.add(members.rank(which));
                }
            });
    private final MemberLinks members = new MemberLinks(Map.of(link, 1), () -> {});

    @Test
    void nobodyIsLostWhenRankZeroLeaves() {
        channel.freezeTime();
        var left = members.leave(/* inPeace= */ true, channel.eventLoop());
        assertThat(members.rank(link)).isEqualTo(1);

        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();

        assertThat(left).isDone();
        assertThat(lost).hasSize(1).containsOnlyNulls();
        channel.finishAndReleaseAll();
    }
}
