package org.robber.emulation.testbed.wan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a thread stands against others that want the processor. The network shares it with the programs under test; if it waited
 * for them, they would see delays that no scenario has.
 */
enum Precedence {
    /** Before all ordinary threads. */
    REALTIME,
    /** A larger share than ordinary threads. */
    NICE,
    /** The kernel grants no better. */
    ORDINARY;

    private static final int NICENESS = -20;
    private static final int LOWEST_REALTIME = 1;

    /** Takes the best for the calling thread that the kernel grants. */
    static Precedence take() {
        // Sleeps end when they should, not up to 50 microseconds later.
        Libc.prctl(Libc.PR_SET_TIMERSLACK, 1, 0, 0, 0);
        ByteBuffer parameter = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        parameter.putInt(0, LOWEST_REALTIME);
        if (Libc.sched_setscheduler(0, Libc.SCHED_FIFO, Libc.address(parameter)) == 0) {
            return REALTIME;
        }
        return Libc.setpriority(Libc.PRIO_PROCESS, 0, NICENESS) == 0 ? NICE : ORDINARY;
    }
}
