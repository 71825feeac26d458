package org.robber.transport.link;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.TimerKey;
import org.robber.transport.link.frame.ReadGate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a strategy's machine on one executor. Posting always enqueues, so the machine is never entered while it runs. Events that wait
 * together are handled in one go, and the messages that they cause leave together.
 */
public final class StrategyRunner {
    private static final Logger LOG = LoggerFactory.getLogger(StrategyRunner.class);

    private final EventExecutor executor;
    private final MulticastNode node;
    private final Performer performer;
    private final LongSupplier nanoTime;
    private final Queue<Posted> events = new ConcurrentLinkedQueue<>();
    /** True until the start, so that events posted before it wait. */
    private final AtomicBoolean scheduled = new AtomicBoolean(true);

    /** One for all events: with the first compiler alone, to make a lambda costs more than a call. */
    private final Runnable draining = this::drain;

    private final Map<TimerKey, ScheduledFuture<?>> timers = new EnumMap<>(TimerKey.class);
    private volatile boolean stopped;

    /** An event that waits, what is done right before the machine hears of it, and the gate that counts it as so many bytes. */
    private record Posted(
            Event event,
            @Nullable Runnable before,
            @Nullable ReadGate gate,
            int bytes) {
        void settle() {
            if (gate != null) {
                gate.handled(bytes);
            }
        }
    }

    /** Performs the machine's actions; called on the runner's executor. */
    interface Performer {
        void perform(Action action);

        /** All actions of a batch have been performed. */
        void endOfBatch();

        /** The machine threw: a defect. */
        void crashed(Throwable defect);
    }

    StrategyRunner(EventExecutor executor, MulticastNode node, Performer performer, LongSupplier nanoTime) {
        this.executor = executor;
        this.node = node;
        this.performer = performer;
        this.nanoTime = nanoTime;
    }

    /** Starts the machine; events posted before wait until then. */
    void start() {
        executor.execute(() -> {
            try {
                performAll(node.start(nanoTime.getAsLong()));
            } catch (RuntimeException | Error e) {
                crash(e);
            }
            drain();
        });
    }

    /** Hands an event to the machine, soon. Any thread. */
    void post(Event event) {
        post(new Posted(event, null, null, 0));
    }

    /** As {@link #post(Event)}; {@code before} runs on the runner's executor right before the machine hears of the event. */
    void post(Event event, Runnable before) {
        post(new Posted(event, before, null, 0));
    }

    /** As {@link #post(Event)}, for the message of a peer: the gate of its connection counts it until it is handled. */
    void post(Event event, ReadGate gate, int bytes) {
        gate.posted(bytes);
        post(new Posted(event, null, gate, bytes));
    }

    private void post(Posted posted) {
        if (stopped) {
            posted.settle();
            return;
        }
        events.add(posted);
        if (scheduled.compareAndSet(false, true)) {
            executor.execute(draining);
        }
    }

    /** No event is handled and no timer fires from now on. */
    void stop() {
        stopped = true;
        try {
            executor.execute(() -> {
                timers.values().forEach(timer -> timer.cancel(false));
                timers.clear();
                drain();
            });
        } catch (RejectedExecutionException e) {
            // The executor has ended, and with it the timers.
            LOG.debug("stopped late", e);
        }
    }

    private void drain() {
        try {
            for (Posted posted = events.poll(); posted != null; posted = events.poll()) {
                try {
                    if (!stopped) {
                        handle(posted);
                    }
                } finally {
                    posted.settle();
                }
            }
        } catch (RuntimeException | Error e) {
            crash(e);
        }
        performer.endOfBatch();
        scheduled.set(false);
        if (!events.isEmpty() && scheduled.compareAndSet(false, true)) {
            executor.execute(draining);
        }
    }

    private void handle(Posted posted) {
        Runnable before = posted.before;
        if (before != null) {
            before.run();
        }
        performAll(node.handle(nanoTime.getAsLong(), posted.event));
    }

    private void crash(Throwable defect) {
        stopped = true;
        performer.crashed(defect);
    }

    private void performAll(List<Action> actions) {
        for (Action action : actions) {
            if (action instanceof Action.SetTimer timer) {
                set(timer);
            } else {
                performer.perform(action);
            }
        }
    }

    private void set(Action.SetTimer timer) {
        long delayNanos = Math.max(0, timer.atNanos() - nanoTime.getAsLong());
        ScheduledFuture<?> earlier = timers.put(
                timer.key(),
                executor.schedule(() -> post(new Event.TimerFired(timer.key())), delayNanos, TimeUnit.NANOSECONDS));
        if (earlier != null) {
            earlier.cancel(false);
        }
    }
}
