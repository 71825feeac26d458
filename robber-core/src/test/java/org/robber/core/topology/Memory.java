package org.robber.core.topology;

import java.lang.management.ManagementFactory;

/** What tests measure of memory: exact, unlike the size of a heap. */
final class Memory {
    private Memory() {}

    /** Bytes that this thread has allocated so far. */
    static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
