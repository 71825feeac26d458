package org.robber.transport.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.core.wire.WireException;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.YieldingPace;
import org.robber.transport.reach.HandOver;
import org.robber.transport.reach.PlacedReceive;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.sockets.TcpInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the connections that a {@link MeshLink} has had. Any thread may send and close. */
final class MeshConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(MeshConnection.class);

    /** The peer may have another idle timeout. */
    private static final long MOST_BEAT_MILLIS = 1000;

    private final MeshLink link;
    private final Channel channel;
    private final SendRate rate;
    private final FrameQueue queue;
    private final MeshFrames frames = new MeshFrames();
    private final boolean byHigherRank;
    private @Nullable ScheduledFuture<?> beats;
    private long silentMillis;

    /** Whether the peer has sent nothing for two beats. Peers that live send something at each. */
    private volatile boolean silent;

    private volatile boolean sentSinceBeat;
    private volatile String ending = "its process ended or its network broke";

    /** @param byHigherRank whether the node of the higher rank has connected to the other */
    MeshConnection(MeshLink link, Channel channel, SendRate rate, boolean byHigherRank) {
        this.link = link;
        this.channel = channel;
        this.rate = rate;
        this.queue = new FrameQueue(channel, rate);
        this.byHigherRank = byHigherRank;
    }

    boolean isByHigherRank() {
        return byHigherRank;
    }

    /** Whether the peer seems to be gone, or to have lost this connection. Any thread. */
    boolean isSilent() {
        return silent;
    }

    /** Takes over the connection, whose greetings are over. */
    void open(Duration idleTimeout) {
        boolean unused = Sockets.runOn(channel.eventLoop(), () -> {
            long idleMillis = Math.max(4, idleTimeout.toMillis());
            long beatMillis = Math.min(MOST_BEAT_MILLIS, idleMillis / 4);
            link.acknowledge(this);
            PlacedReceive.direct(channel, () -> frames.room(channel.alloc()));
            HandOver.to(channel, this);
            if (rate.yields() && !isInsideMachine()) {
                YieldingPace.begin(channel);
            }
            beats = channel.eventLoop()
                    .scheduleWithFixedDelay(
                            () -> beat(beatMillis, idleMillis), beatMillis, beatMillis, TimeUnit.MILLISECONDS);
            if (!channel.isActive()) {
                end();
            }
        });
    }

    /**
     * Nothing is noted for each message but that there was one. Silence is counted in beats, so a process that was stopped for a while does not take
     * that time for its peer's.
     */
    private void beat(long beatMillis, long idleMillis) {
        silent = silentMillis > 0;
        silentMillis += beatMillis;
        if (silentMillis >= idleMillis) {
            ending = "it sent nothing for " + ControlFailures.seconds(link.idleTimeout());
            close();
        } else if (!sentSinceBeat) {
            link.acknowledge(this);
        }
        sentSinceBeat = false;
    }

    /** Whether the peer may share memory with this node: addresses tell that it is on this machine, and no limit holds for what it is sent. */
    boolean mayShareMemory() {
        return !rate.isLimited() && isInsideMachine();
    }

    private boolean isInsideMachine() {
        return channel.localAddress() instanceof InetSocketAddress own
                && channel.remoteAddress() instanceof InetSocketAddress other
                && own.getAddress().equals(other.getAddress());
    }

    void send(ByteBuffer frame) {
        sentSinceBeat = true;
        queue.add(frame);
    }

    /** How much the peer's system has got; 0 where it is not known, such as on other systems than Linux. */
    long acknowledgedBytes() {
        TcpInfo info = TcpInfo.of(channel);
        return info == null ? 0 : info.acknowledgedBytes();
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        silentMillis = 0;
        silent = false;
        frames.read((ByteBuf) bytes, message -> link.received(this, message));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
    }

    private void end() {
        if (beats != null) {
            beats.cancel(false);
        }
        frames.end();
        link.ended(this, ending);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof WireException) {
            ending = "it broke the protocol: " + cause.getMessage();
        } else if (cause instanceof IOException) {
            ending = "its process ended or its network broke (" + Sockets.trouble(cause) + ")";
        } else {
            LOG.error("a message could not be handled", cause);
            ending = "its message could not be handled: " + cause;
        }
        close();
    }
}
