package org.robber.emulation.testbed.wan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Waits until one of some file descriptors has something to read, or for a time: ppoll(2), which counts in nanoseconds. */
final class Poller {

    private static final int POLLFD_BYTES = 8;
    private static final int EVENTS_OFFSET = 4;
    private static final int RETURNED_OFFSET = 6;
    private static final int TIMESPEC_BYTES = 16;
    private static final int NANOS_OFFSET = 8;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final int count;
    private final ByteBuffer fds;
    private final ByteBuffer timespec =
            ByteBuffer.allocateDirect(TIMESPEC_BYTES).order(ByteOrder.nativeOrder());
    private final long fdsAddress;
    private final long timespecAddress = Libc.address(timespec);

    Poller(int[] descriptors) {
        count = descriptors.length;
        fds = ByteBuffer.allocateDirect(Math.max(1, count) * POLLFD_BYTES).order(ByteOrder.nativeOrder());
        fdsAddress = Libc.address(fds);
        for (int i = 0; i < count; i++) {
            fds.putInt(i * POLLFD_BYTES, descriptors[i]);
            fds.putShort(i * POLLFD_BYTES + EVENTS_OFFSET, Libc.POLLIN);
        }
    }

    /**
     * Waits.
     *
     * @param nanos how long at most; {@link VirtualClockQueue#NEVER}: no limit
     * @return whether there is something to read somewhere
     */
    boolean await(long nanos) throws IOException {
        return poll(count, nanos) > 0;
    }

    /** Waits for nothing but time. */
    void sleep(long nanos) throws IOException {
        poll(0, nanos);
    }

    /** Whether the descriptor with this index had something to read, or was at its end, when the last wait ended. */
    boolean isReady(int index) {
        return fds.getShort(index * POLLFD_BYTES + RETURNED_OFFSET) != 0;
    }

    private int poll(int descriptors, long nanos) throws IOException {
        long timeout = 0;
        if (nanos != VirtualClockQueue.NEVER) {
            timespec.putLong(0, nanos / NANOS_PER_SECOND);
            timespec.putLong(NANOS_OFFSET, nanos % NANOS_PER_SECOND);
            timeout = timespecAddress;
        }
        int ready = Libc.ppoll(fdsAddress, descriptors, timeout, 0);
        if (ready < 0 && Libc.errno() != Libc.EINTR) {
            throw new IOException("cannot wait for packets: " + Libc.reason());
        }
        return ready;
    }
}
