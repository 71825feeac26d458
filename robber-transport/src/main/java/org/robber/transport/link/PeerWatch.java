package org.robber.transport.link;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.robber.transport.link.frame.FrameReader;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.pace.StallWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a keep-alive where nothing else is sent, and notices that the peer has fallen silent, that it reads nothing, or that it owes
 * pieces and sends nothing. Beats are counted and not time: a process that was suspended must not blame its peers. Belongs to the
 * connection's event loop.
 */
public final class PeerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);

    /** Keep-alives within the idle timeout. */
    private static final int BEATS = 4;

    /** The peer may have another idle timeout. */
    private static final long MOST_BEAT_MILLIS = 1000;

    private final PeerLink link;
    private final LinkSession session;
    private final FrameReader reader;
    private final ReadGate gate;
    private final Duration idleTimeout;
    private final StallWatch stallWatch = new StallWatch();
    private final ScheduledFuture<?> beats;
    private final ScheduledFuture<?> looks;

    private final long silentBeatsAllowed;
    private int silentBeats;
    private int unreadBeats;
    private long leftBytes;
    private boolean stalled;
    private long readBytesAtStall;

    /**
     * Watches from now on.
     *
     * @param idleTimeout how long the peer may send nothing, not even a keep-alive
     * @param stallTimeout how long a peer that owes pieces may send nothing until others are asked for them
     */
    PeerWatch(
            PeerLink link,
            LinkSession session,
            FrameReader reader,
            ReadGate gate,
            Duration idleTimeout,
            Duration stallTimeout) {
        this.link = link;
        this.session = session;
        this.reader = reader;
        this.gate = gate;
        this.idleTimeout = idleTimeout;
        EventLoop loop = link.channel().eventLoop();
        long beatMillis = Math.max(1, Math.min(MOST_BEAT_MILLIS, idleTimeout.toMillis() / BEATS));
        this.silentBeatsAllowed = idleTimeout.toMillis() / beatMillis;
        this.beats = loop.scheduleWithFixedDelay(this::beat, beatMillis, beatMillis, TimeUnit.MILLISECONDS);
        long lookMillis = Math.max(1, stallTimeout.toMillis() / StallWatch.LOOKS);
        this.looks = loop.scheduleWithFixedDelay(this::look, lookMillis, lookMillis, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        link.keepAlive();
        boolean heard = reader.takeHeard();
        if (gate.awaitsPeer()) {
            readByPeer();
            return;
        }
        unreadBeats = 0;
        silentBeats = heard ? 0 : silentBeats + 1;
        if (silentBeats > silentBeatsAllowed) {
            link.lost("it sent nothing for " + idleTimeout.toMillis() / 1e3 + " s");
        }
    }

    /** Whether the peer reads can be told from what leaves. */
    private void readByPeer() {
        long leftNow = link.leftBytes();
        unreadBeats = leftNow == leftBytes ? unreadBeats + 1 : 0;
        leftBytes = leftNow;
        if (unreadBeats > silentBeatsAllowed) {
            link.lost("it read nothing for " + idleTimeout.toMillis() / 1e3 + " s");
        } else if (unreadBeats > 0) {
            gate.widen();
        }
    }

    private void look() {
        if (stalled && readBytes() != readBytesAtStall) {
            stalled = false;
            session.revived();
        }
        boolean owes = !reader.isStopped() && !link.sides().isStopped() && session.isOwed();
        if (stallWatch.look(owes, reader.heardBytes() + link.sides().readBytes(), link.blockBytesSent())) {
            LOG.debug("rank {} owes pieces and sends nothing: asks others", link.rank());
            stalled = true;
            readBytesAtStall = readBytes();
            session.stalled();
        }
    }

    private long readBytes() {
        return reader.readBytes() + link.sides().readBytes();
    }

    /** Another multicast begins, in which the peer has not stalled. */
    void begin() {
        stalled = false;
    }

    void stop() {
        beats.cancel(false);
        looks.cancel(false);
    }
}
