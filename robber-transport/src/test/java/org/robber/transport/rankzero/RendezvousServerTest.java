package org.robber.transport.rankzero;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.rendezvous.RawNode;
import org.robber.transport.security.Credentials;

/** Time at rank 0's door, which is not the machine's time here. */
class RendezvousServerTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    private static final byte[] SECRET = {1};
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 5).withSecret(SECRET).withTls(TlsOptions.off());

    private final EmbeddedChannel atDoor = new EmbeddedChannel();
    private final EmbeddedChannel atRankZero = new EmbeddedChannel();
    private final RendezvousServer server = new RendezvousServer(
            OPTIONS,
            Credentials.of(OPTIONS),
            target -> new CompletableFuture<>(),
            RawNode.announce(OPTIONS),
            atDoor.eventLoop());

    @BeforeEach
    void greets() {
        atDoor.freezeTime();
        atRankZero.freezeTime();
        server.open(atDoor);
        greet(atRankZero, SECRET);
    }

    @AfterEach
    void nothingLeaks() {
        atRankZero.finishAndReleaseAll();
        atDoor.finishAndReleaseAll();
        leaks.check();
    }

    @Test
    void whoNeverSaysWhoItIsIsClosed() {
        passTime(9);
        say(new ControlMessage.Alive());
        assertThat(atRankZero.isOpen()).isTrue();
        passTime(2);

        assertThat(atRankZero.isOpen()).isFalse();
    }

    @Test
    void whoHasSaidWhoItIsMayWait() {
        say(announce(3));
        passTime(20);
        say(new ControlMessage.Alive());
        passTime(20);

        assertThat(atRankZero.isOpen()).isTrue();
    }

    @Test
    void butNotInSilence() {
        say(announce(3));
        passTime(31);

        assertThat(atRankZero.isOpen()).isFalse();
    }

    @Test
    void rankZeroSaysThatItIsAlive() {
        say(announce(3));
        passTime(8);

        assertThat(hear()).isInstanceOf(ControlMessage.Alive.class);
    }

    @Test
    void missingRanksAreNamedToWhoeverCame() {
        say(announce(3));
        for (int i = 0; i < 2; i++) {
            EmbeddedChannel failedProofs = new EmbeddedChannel();
            greet(failedProofs, new byte[] {2});
            assertThat(failedProofs.isOpen()).isFalse();
        }
        passTime(25);
        say(new ControlMessage.Alive());
        passTime(25);
        say(new ControlMessage.Alive());
        assertThat(server.everyone()).isNotDone();
        passTime(10);

        String text = "3 of 5 nodes did not come within 60 s: ranks 1-2, 4; a node from embedded (2 times) failed to"
                + " prove the secret: is ROBBER_SECRET_FILE the same on every node?";
        ControlMessage last = hear();
        while (last instanceof ControlMessage.Alive) {
            last = hear();
        }
        assertThat(last).isInstanceOfSatisfying(ControlMessage.Fail.class, fail -> {
            assertThat(fail.code()).isEqualTo(Reason.TOO_FEW_NODES.exitCode());
            assertThat(fail.ranks()).containsExactly(1, 2, 4);
            assertThat(fail.text()).isEqualTo(text);
        });
        passTime(2);
        assertThat(failure()).hasMessage(text);
        assertThat(failure().phase()).isEqualTo("connect");
        assertThat(atDoor.isOpen()).isFalse();
    }

    @Test
    void whoComesAndGoesIsNamed() {
        say(announce(3));

        assertThat(logOf(this::disconnect)).contains("rank 3", "came and is gone again");
    }

    @Test
    void butNotWhenTheJobHasFailed() {
        say(announce(3));
        String log = logOf(() -> {
            server.fail(new RobberException(Reason.TOO_FEW_NODES, List.of(4), "connect", "too few"));
            disconnect();
        });

        assertThat(failure()).hasMessage("too few");
        assertThat(log).doesNotContain("came and is gone again");
    }

    @Test
    void whoLeavesDuringTheGreetingHasNotFailedToProveAnything() {
        EmbeddedChannel left = new EmbeddedChannel();
        EmbeddedChannel there = new EmbeddedChannel(credentials(new byte[] {2}).connecting());
        server.admit(left);
        pass(there, left);
        left.disconnect().syncUninterruptibly();
        left.finishAndReleaseAll();
        there.finishAndReleaseAll();
        passTime(30);
        passTime(31);

        assertThat(server.everyone()).isCompletedExceptionally();
        assertThat(failure()).hasMessage("4 of 5 nodes did not come within 60 s: ranks 1-4");
    }

    @Test
    void settingsThatDifferAreNamedByTheirOptions() {
        String same = " --piece-size=0 --digest=xxh3-128";
        String ours = "replicate --strategy=balanced --bandwidths=0123456789abcdef" + same;

        assertThat(AnnouncementCheck.settingsThatDiffer(
                        "replicate --strategy=balanced --bandwidths=9876543210fedcba" + same, ours))
                .isEqualTo(": the values of --bandwidths differ; give all nodes the same");
        assertThat(AnnouncementCheck.settingsThatDiffer("replicate --strategy=chain" + same, ours))
                .isEqualTo(": the values of --bandwidths, --strategy differ; give all nodes the same");
        assertThat(AnnouncementCheck.settingsThatDiffer(ours + " --restart", ours))
                .contains("of --restart differ");
        assertThat(AnnouncementCheck.settingsThatDiffer("verify", ours))
                .isEqualTo(": the commands verify and replicate differ; give all nodes the same");
        assertThat(AnnouncementCheck.settingsThatDiffer("mine", "yours"))
                .as("no options")
                .isEmpty();
    }

    @Test
    void ranksThatDifferAreNamed() {
        say(RawNode.announce(JobOptions.of("test", "localhost", 0, 3, 5).withSettings("run --bandwidths=1")));

        assertThat(failure().ranks()).containsExactly(3, 0);
        assertThat(failure().reason()).isEqualTo(Reason.NETWORK);
        assertThat(failure())
                .hasMessageContaining("rank 3")
                .hasMessageContaining("rank 0")
                .hasMessageContaining("the values of --bandwidths differ");
    }

    @Test
    void aRankBeyondTheSizeIsRefused() {
        ControlMessage.Announce last = announce(4);
        say(new ControlMessage.Announce(
                last.job(),
                5,
                last.size(),
                last.cluster(),
                last.host(),
                last.processId(),
                last.dataAddresses(),
                last.dataPort(),
                last.settings()));

        assertThat(failure().reason()).isEqualTo(Reason.USAGE);
        assertThat(failure()).hasMessageContaining("says it is rank 5 of 5 nodes");
    }

    private void disconnect() {
        atRankZero.disconnect().syncUninterruptibly();
    }

    private static String logOf(Runnable action) {
        PrintStream standardError = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, /* autoFlush= */ true, UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(standardError);
        }
        return log.toString(UTF_8);
    }

    private RobberException failure() {
        return (RobberException) catchThrowableOfType(
                        CompletionException.class, () -> server.everyone().join())
                .getCause();
    }

    private static ControlMessage.Announce announce(int rank) {
        return RawNode.announce(JobOptions.of("test", "localhost", 0, rank, 5));
    }

    private static Credentials credentials(byte[] secret) {
        return Credentials.of(OPTIONS.withSecret(secret));
    }

    private void greet(EmbeddedChannel here, byte[] secret) {
        EmbeddedChannel there = new EmbeddedChannel(credentials(secret).connecting());
        server.admit(here);
        pass(there, here);
        pass(here, there);
        pass(there, here);
        there.finishAndReleaseAll();
    }

    private void say(ControlMessage message) {
        atRankZero.writeInbound(Unpooled.wrappedBuffer(ControlCodec.encode(message)));
    }

    private ControlMessage hear() {
        ByteBuf said = atRankZero.readOutbound();
        assertThat(said).as("something said").isNotNull();
        ByteBuffer frame = said.nioBuffer();
        frame.getInt();
        ControlMessage message = ControlCodec.decode(frame.get(), frame);
        said.release();
        return message;
    }

    private void passTime(long seconds) {
        for (EmbeddedChannel each : new EmbeddedChannel[] {atRankZero, atDoor}) {
            for (int second = 0; second < seconds; second++) {
                each.advanceTimeBy(1, TimeUnit.SECONDS);
                each.runScheduledPendingTasks();
            }
        }
    }

    private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf next = from.readOutbound(); next != null; next = from.readOutbound()) {
            to.writeInbound(next);
        }
    }
}
