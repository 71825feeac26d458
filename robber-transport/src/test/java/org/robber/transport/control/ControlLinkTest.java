package org.robber.transport.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.transport.BufferLeaks;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingHandler;

class ControlLinkTest {
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 5).withTls(TlsOptions.off());
    private static final ControlMessage LARGE = new ControlMessage.Release(7, new byte[1 << 20]);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    @AfterEach
    void nothingLeaks() {
        leaks.check();
    }

    /** Thousands of nodes that read slowly must not make rank 0 hold thousands of copies. */
    @Test
    void whatManyAreToldIsThereOnceUntilTheyReadIt() {
        List<EmbeddedChannel> channels = new ArrayList<>();
        List<ControlLink> links = new ArrayList<>();
        for (int node = 0; node < 20; node++) {
            EmbeddedChannel channel = new EmbeddedChannel();
            links.add(link(channel));
            channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
            channels.add(channel);
        }
        ByteBuf frame = OutgoingFrames.encode(LARGE);
        links.forEach(link -> link.send(frame.retainedDuplicate()));
        links.forEach(link -> link.send(new ControlMessage.Alive()));
        assertThat(frame.refCnt()).isEqualTo(21);
        assertThat(frame.isDirect()).isTrue();
        assertThat(channels)
                .allSatisfy(channel -> assertThat(channel.outboundMessages()).isEmpty());

        for (EmbeddedChannel channel : channels) {
            channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
            channel.runPendingTasks();
            ByteBuf sent = allSent(channel);
            assertThat(sent)
                    .isEqualTo(Unpooled.wrappedBuffer(
                            ControlCodec.encode(LARGE), ControlCodec.encode(new ControlMessage.Alive())));
            sent.release();
            channel.finishAndReleaseAll();
        }
        assertThat(frame.refCnt()).isEqualTo(1);
        frame.release();
    }

    @Test
    void aPeerThatIsSilentForTooLongIsLeft() {
        Pair pair = new Pair();
        passSeconds(pair.here, SILENCE.toSeconds() - 2);
        assertThat(pair.here.isOpen()).isTrue();
        passSeconds(pair.here, 4);
        assertThat(pair.here.isOpen()).isFalse();
        pair.finish();
    }

    @Test
    void peersThatHaveNothingToSayStayConnected() {
        Pair pair = new Pair();
        for (long second = 0; second < 10 * SILENCE.toSeconds(); second++) {
            passSeconds(pair.here, 1);
            passSeconds(pair.there, 1);
            pair.carry();
        }
        assertThat(pair.here.isOpen() && pair.there.isOpen()).isTrue();
        pair.finish();
    }

    /** A shell may pause all processes of a job together. */
    @Test
    void aPauseOfThisProcessIsNoSilenceOfItsPeer() {
        Pair pair = new Pair();
        for (int pause = 0; pause < 10; pause++) {
            for (EmbeddedChannel end : List.of(pair.here, pair.there)) {
                end.advanceTimeBy(1, TimeUnit.HOURS);
                end.runScheduledPendingTasks();
            }
            pair.carry();
        }
        assertThat(pair.here.isOpen() && pair.there.isOpen()).isTrue();
        pair.finish();
    }

    /** Two ends that have greeted each other, each with a time of its own. */
    private static final class Pair {
        final EmbeddedChannel here = new EmbeddedChannel();
        final EmbeddedChannel there = new EmbeddedChannel();

        Pair() {
            here.freezeTime();
            there.freezeTime();
            link(here, Credentials.of(OPTIONS).listening());
            link(there, Credentials.of(OPTIONS).connecting());
            carry();
        }

        /** Until nothing is under way. */
        void carry() {
            boolean moved = true;
            while (moved) {
                moved = carry(here, there) || carry(there, here);
            }
        }

        private static boolean carry(EmbeddedChannel from, EmbeddedChannel to) {
            from.runPendingTasks();
            boolean moved = false;
            for (Object bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
                to.writeInbound(bytes);
                moved = true;
            }
            return moved;
        }

        void finish() {
            here.finishAndReleaseAll();
            there.finishAndReleaseAll();
        }
    }

    private static void passSeconds(EmbeddedChannel channel, long seconds) {
        for (long second = 0; second < seconds; second++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void whatIsNotSentWhenTheConnectionEndsIsReleased() {
        EmbeddedChannel channel = new EmbeddedChannel();
        ControlLink link = link(channel);
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        ByteBuf frame = OutgoingFrames.encode(LARGE);
        link.send(frame.retainedDuplicate());
        channel.finishAndReleaseAll();
        link.send(frame.retainedDuplicate());

        assertThat(frame.refCnt()).isEqualTo(1);
        frame.release();
    }

    private static ControlLink link(EmbeddedChannel channel) {
        return link(channel, Credentials.of(OPTIONS).listening());
    }

    private static ControlLink link(EmbeddedChannel channel, GreetingHandler greeting) {
        return ControlLink.on(
                channel,
                channel.eventLoop(),
                "peer",
                greeting,
                ControlType.FROM_MEMBER,
                SILENCE,
                new ControlLinkListener() {
                    @Override
                    public void received(ControlLink from, ControlMessage message) {
                        throw new AssertionError(message);
                    }

                    @Override
                    public void ended(ControlLink from, String why) {
                        // Nobody asks.
                    }
                });
    }

    private static ByteBuf allSent(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        return all;
    }
}
