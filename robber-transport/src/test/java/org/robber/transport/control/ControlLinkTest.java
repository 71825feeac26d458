package org.robber.transport.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.transport.BufferLeaks;
import org.robber.transport.security.Credentials;

class ControlLinkTest {
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 5).withTls(TlsOptions.off());
    private static final ControlMessage LARGE = new ControlMessage.Release(7, new byte[1 << 20]);

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
        return ControlLink.on(
                channel,
                channel.eventLoop(),
                "peer",
                Credentials.of(OPTIONS).listening(),
                ControlType.FROM_MEMBER,
                Duration.ofMinutes(1),
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
