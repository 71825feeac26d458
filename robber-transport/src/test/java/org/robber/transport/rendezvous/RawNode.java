package org.robber.transport.rendezvous;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Sets;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.robber.JobOptions;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** A member that proves the secret and then says what no node would say. */
public final class RawNode implements ControlLinkListener {
    private static final Set<ControlType> EVERYTHING_TO_MEMBERS =
            Sets.union(ControlType.TO_WAITING_NODE, ControlType.TO_MEMBER);

    final BlockingQueue<ControlMessage> heard = new LinkedBlockingQueue<>();
    final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CompletableFuture<ControlLink> greeted = new CompletableFuture<>();
    private final Channel channel;

    /** Connects and greets. */
    RawNode(Sockets sockets, JobOptions options, int port) throws Exception {
        channel = sockets.bootstrap()
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        ControlLink.on(
                                fresh,
                                fresh.eventLoop(),
                                "rank 0",
                                Credentials.of(options).connecting(),
                                EVERYTHING_TO_MEMBERS,
                                Duration.ofMinutes(1),
                                RawNode.this);
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
        TestJob.get(greeted);
    }

    /** The same as what a real node of these options says. */
    public static ControlMessage.Announce announce(JobOptions options) {
        return new ControlMessage.Announce(
                options.job(),
                options.rank(),
                options.size(),
                null,
                "raw",
                1234,
                ImmutableList.of(""),
                1,
                options.settings());
    }

    void say(ControlMessage message) throws Exception {
        ControlLink link = TestJob.get(greeted);
        TestJob.get(channel.eventLoop().submit(() -> link.send(message)));
    }

    void say(byte[] bytes) throws Exception {
        TestJob.get(channel.writeAndFlush(Unpooled.wrappedBuffer(bytes)));
    }

    /** Says not even that it is alive. */
    void fallSilent() {
        channel.pipeline().remove(IdleStateHandler.class);
    }

    @Override
    public void greeted(ControlLink link) {
        greeted.complete(link);
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        heard.add(message);
        if (message instanceof ControlMessage.Fail) {
            link.close("the job has failed");
        }
    }

    @Override
    public void ended(ControlLink link, String why) {
        ended.complete(why);
    }
}
