package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.ScheduledEvent;

/**
 * A card, access line, link or LAN: it has a limited rate that connections share. First come, first served, by a virtual clock.
 * Each segment occupies the stage for its length at the stage's rate, from the arrival of its first byte or when the stage is free.
 * It leaves when its last byte has come and its time is over. So a slow segment occupies only the time that it needs, and a queue
 * elsewhere causes no second delay.
 */
final class Stage extends ScheduledEvent {
    /** Segments that would leave so soon leave at once, with their time: that saves an entry in the agenda. */
    private static final long SOON_NANOS = 20_000;

    private final Agenda agenda;
    private final long leastQueueBytes;

    private double queueLimitBytes;
    private double bytesPerSecond;
    private double nanosPerByte;

    /** Until when the stage is occupied, if its rate is not 0. */
    private long freeNanos;

    /** The rest of the first segment, counted when the rate became 0. */
    private double stalledBytes;

    private @Nullable Segment first;
    private @Nullable Segment last;
    private boolean serving;
    private long queuedBytes;
    private long passedBytes;

    /**
     * A stage in which segments are marked when the queue is longer than {@code queueNanos} at its rate, and than {@code
     * leastQueueBytes}.
     */
    Stage(Agenda agenda, double bytesPerSecond, long queueNanos, long leastQueueBytes) {
        this.agenda = agenda;
        this.leastQueueBytes = leastQueueBytes;
        setRate(bytesPerSecond, queueNanos);
    }

    /** All bytes that have entered the stage so far. */
    long passedBytes() {
        return passedBytes;
    }

    /** The queueing delay of a byte that comes now. */
    long waitNanos() {
        return (long) (queuedBytes * nanosPerByte);
    }

    /** A segment's last byte comes, at its {@code tailNanos}. */
    void arrive(Segment segment) {
        passedBytes += segment.wireBytes;
        queuedBytes += segment.wireBytes;
        if (queuedBytes > queueLimitBytes) {
            segment.marked = true;
        }
        segment.next = null;
        if (last == null) {
            first = segment;
        } else {
            last.next = segment;
        }
        last = segment;
        advance();
    }

    /** Charges small traffic, such as acknowledgements, without a segment. */
    void charge(long bytes) {
        passedBytes += bytes;
        freeNanos = Math.max(freeNanos, agenda.nowNanos()) + (long) (bytes * nanosPerByte);
    }

    /** From now on the stage has this rate: 0, where nothing passes, to infinity. */
    final void setRate(double newBytesPerSecond, long queueNanos) {
        long nowNanos = agenda.nowNanos();
        double leftBytes = leftBytes(nowNanos);
        bytesPerSecond = newBytesPerSecond;
        nanosPerByte = newBytesPerSecond == 0 ? 0 : 1e9 / newBytesPerSecond;
        queueLimitBytes = Math.max(newBytesPerSecond * queueNanos / 1e9, (double) leastQueueBytes);
        if (newBytesPerSecond == 0) {
            stalledBytes = leftBytes;
            agenda.remove(this);
        } else {
            freeNanos = nowNanos + (long) (leftBytes * nanosPerByte);
            if (first != null && serving) {
                agenda.put(this, Math.max(first.tailNanos, freeNanos));
            } else {
                advance();
            }
        }
    }

    /** The rest of the segment in service. Without a limit, what has come has left. */
    private double leftBytes(long nowNanos) {
        if (bytesPerSecond == 0) {
            return stalledBytes;
        }
        return freeNanos > nowNanos && nanosPerByte > 0 ? (freeNanos - nowNanos) / nanosPerByte : 0;
    }

    @Override
    protected void happen(long nowNanos) {
        Segment segment = poll();
        serving = false;
        segment.leave(nowNanos);
        advance();
    }

    private Segment poll() {
        Segment segment = first;
        if (segment == null) {
            throw new IllegalStateException("no segment");
        }
        first = segment.next;
        if (first == null) {
            last = null;
        }
        queuedBytes -= segment.wireBytes;
        return segment;
    }

    private void advance() {
        for (Segment segment = first; segment != null && !serving; segment = first) {
            long nowNanos = agenda.nowNanos();
            if (bytesPerSecond == 0) {
                stalledBytes = segment.wireBytes;
                serving = true;
                return;
            }
            long startNanos = Math.max(segment.headNanos, freeNanos);
            freeNanos = startNanos + (long) (segment.wireBytes * nanosPerByte);
            segment.headNanos = startNanos;
            long leaveNanos = Math.max(segment.tailNanos, freeNanos);
            if (leaveNanos - nowNanos <= SOON_NANOS) {
                poll().leave(Math.max(leaveNanos, nowNanos));
            } else {
                serving = true;
                agenda.put(this, leaveNanos);
            }
        }
    }
}
