package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.transport.reach.PlacedReceive;

/** Which of two connections between two nodes stays. */
class MeshLinkTest {

    private static final class Unheard implements MeshLinkListener {
        @Override
        public void received(int rank, OfMeeting message) {
            throw new AssertionError("nothing is sent");
        }

        @Override
        public boolean mayShare() {
            return false;
        }

        @Override
        public void shares(SharedMemory memory) {
            throw new AssertionError("nothing is shared");
        }

        @Override
        public void mayHaveMessages(SharedMemory memory) {
            throw new AssertionError("nothing is shared");
        }

        @Override
        public void left(int rank) {
            throw new AssertionError("nobody leaves");
        }

        @Override
        public void unreachable(int rank, String why) {
            throw new AssertionError(why);
        }
    }

    private static EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        PlacedReceive.install(channel);
        return channel;
    }

    private static void letPass(EmbeddedChannel channel, long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    @Test
    void theConnectionOfTheHigherRankStaysUnlessThePeerIsSilentOnIt() throws Exception {
        try (MeshJob job = new MeshJob(2)) {
            EmbeddedChannel first = channel();
            EmbeddedChannel second = channel();
            EmbeddedChannel third = channel();
            MeshLink link = new MeshLink(0, job.network(1), new Unheard());
            link.connected(first, /* byThisNode= */ true);
            first.runPendingTasks();

            letPass(first, 1100);
            link.connected(second, /* byThisNode= */ false);
            assertThat(second.isOpen()).as("both have connected at once").isFalse();
            assertThat(first.isOpen()).isTrue();

            letPass(first, 1100);
            link.connected(third, /* byThisNode= */ false);
            assertThat(first.isOpen()).as("the peer has lost it").isFalse();
            assertThat(third.isOpen()).isTrue();
            link.end();
        }
    }
}
