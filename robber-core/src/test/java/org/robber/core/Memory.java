package org.robber.core;

import java.lang.management.ManagementFactory;

/** What tests measure of memory: exact, unlike the size of a heap. */
public final class Memory {
    private Memory() {}

    /** Bytes that this thread has allocated so far. */
    public static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
