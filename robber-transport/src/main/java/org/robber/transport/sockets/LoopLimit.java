package org.robber.transport.sockets;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A limit of time for the other end of a connection. A second counts only once the event loop has served all its connections in between: who waits
 * because the loop is busy with others is not blamed for it. To be used on that loop only.
 */
public final class LoopLimit {
    private final EventExecutor loop;
    private final Runnable over;
    private long secondsLeft;
    private @Nullable ScheduledFuture<?> nextSecond;

    private LoopLimit(EventExecutor loop, long seconds, Runnable over) {
        this.loop = loop;
        this.over = over;
        this.secondsLeft = seconds;
    }

    /**
     * Starts now.
     *
     * @param seconds at least 1
     * @param over run when the time is over, unless that was cancelled before
     */
    public static LoopLimit start(EventExecutor loop, long seconds, Runnable over) {
        LoopLimit limit = new LoopLimit(loop, seconds, over);
        limit.await();
        return limit;
    }

    private void await() {
        nextSecond = loop.schedule(
                () -> {
                    secondsLeft--;
                    if (secondsLeft == 0) {
                        over.run();
                    } else {
                        await();
                    }
                },
                1,
                TimeUnit.SECONDS);
    }

    /** Nothing happens any more. */
    public void cancel() {
        if (nextSecond != null) {
            nextSecond.cancel(false);
        }
    }
}
