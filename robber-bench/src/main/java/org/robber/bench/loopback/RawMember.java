package org.robber.bench.loopback;

import com.google.common.collect.ImmutableList;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.robber.JobOptions;
import org.robber.core.wire.FrameHead;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.sockets.Sockets;

/**
 * A member of {@link ManyMembers} that is no more than its control connection: it joins, reports progress, takes part in one broadcast,
 * and leaves. It skips what it reads.
 */
final class RawMember extends ChannelInboundHandlerAdapter {
    private final JobOptions job;
    private final int rank;
    private final int reportMillis;
    private final int deafSeconds;
    private final byte[] head = new byte[FrameHead.BYTES];
    private int headBytes;
    private int type;
    private int payloadLeft;
    private long done;

    RawMember(JobOptions job, int rank, int reportMillis, int deafSeconds) {
        this.job = job;
        this.rank = rank;
        this.reportMillis = reportMillis;
        this.deafSeconds = deafSeconds;
    }

    /** Connects it, again and again until that works. */
    static void connect(Sockets sockets, int port, RawMember member) {
        var unused = sockets.bootstrap()
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(Credentials.of(member.job).connecting(), member);
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), port)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        connect(sockets, port, member);
                    }
                });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == GreetingDone.DONE) {
            say(
                    context,
                    new ControlMessage.Announce(
                            job.job(),
                            rank,
                            job.size(),
                            null,
                            "member-" + rank,
                            rank,
                            ImmutableList.of(""),
                            1,
                            job.settings()));
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    private static void say(ChannelHandlerContext context, ControlMessage message) {
        var unused = context.writeAndFlush(Unpooled.wrappedBuffer(ControlCodec.encode(message)));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            ByteBuf input = (ByteBuf) message;
            while (input.isReadable()) {
                if (headBytes < FrameHead.BYTES) {
                    head[headBytes++] = input.readByte();
                    if (headBytes == FrameHead.BYTES) {
                        type = head[FrameHead.LENGTH_FIELD_BYTES];
                        payloadLeft = Unpooled.wrappedBuffer(head).getInt(0) - 1;
                    }
                } else {
                    int skipped = Math.min(payloadLeft, input.readableBytes());
                    input.skipBytes(skipped);
                    payloadLeft -= skipped;
                }
                if (headBytes == FrameHead.BYTES && payloadLeft == 0) {
                    headBytes = 0;
                    heard(context);
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Rank 0 has left, and this member was about to.
        var unused = context.close();
    }

    private void heard(ChannelHandlerContext context) {
        if (type == ControlType.ROSTER.code()) {
            say(context, new ControlMessage.Call(0, "broadcast from rank 0"));
            say(context, new ControlMessage.Arrive(0, new byte[0]));
            context.channel().config().setAutoRead(false);
            var unusedDeaf = context.executor()
                    .schedule(() -> context.channel().config().setAutoRead(true), deafSeconds, TimeUnit.SECONDS);
            var unused = context.executor()
                    .scheduleAtFixedRate(
                            () -> {
                                if (context.channel().isActive()) {
                                    say(context, new ControlMessage.Progress("multicast 0", done++, Long.MAX_VALUE));
                                }
                            },
                            (long) reportMillis * rank / job.size(),
                            reportMillis,
                            TimeUnit.MILLISECONDS);
        } else if (type == ControlType.RELEASE.code()) {
            say(context, new ControlMessage.Goodbye());
        }
    }
}
