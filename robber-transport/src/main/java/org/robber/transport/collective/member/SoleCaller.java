package org.robber.transport.collective.member;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Lets one thread at a time make the calls of an object. Thread-safe. */
public final class SoleCaller {
    private final int rank;
    private final String what;

    /** Whether a thread begins a call, or waits for one that it has begun. */
    private final AtomicBoolean isCalling = new AtomicBoolean();

    /**
     * Of an object.
     *
     * @param rank of this node
     * @param what the object, for people
     */
    public SoleCaller(int rank, String what) {
        this.rank = rank;
        this.what = what;
    }

    /**
     * Makes a call, which makes no other call of this object.
     *
     * @param phase the call, for people
     * @throws RobberException if another thread is in a call; then this one is not made
     */
    public <T extends @Nullable Object> T call(String phase, Supplier<T> call) {
        if (!isCalling.compareAndSet(false, true)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(rank),
                    phase,
                    phase + ": another thread is in a call of this " + what + "; a " + what
                            + " serves one thread at a time");
        }
        try {
            return call.get();
        } finally {
            isCalling.set(false);
        }
    }

    /** As {@link #call}, without a result. */
    public void run(String phase, Runnable call) {
        Object unused = call(phase, () -> {
            call.run();
            return null;
        });
    }
}
