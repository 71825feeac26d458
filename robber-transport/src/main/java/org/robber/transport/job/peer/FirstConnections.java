package org.robber.transport.job.peer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Waits for the first connection to each peer, no longer than connections may take. Thread-safe. */
final class FirstConnections {
    private final JobContext context;
    private final TreeSet<Integer> missing = new TreeSet<>();
    private final CompletableFuture<Void> all = new CompletableFuture<>();

    FirstConnections(JobContext context) {
        this.context = context;
    }

    /** From now on these are waited for. */
    synchronized void expect(Collection<Integer> peers) {
        missing.addAll(peers);
    }

    /** Completes once each is there that is not lost meanwhile, or fails naming those that could not be had in time. */
    CompletableFuture<Void> await() {
        var timeout = context.sockets()
                .group()
                .schedule(this::timedOut, context.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        completeIfNoneIsMissing();
        return all.whenComplete((done, problem) -> timeout.cancel(false));
    }

    /** This one is there, or will not come and is not waited for. */
    void settle(int peer) {
        boolean wasMissing;
        synchronized (this) {
            wasMissing = missing.remove(peer);
        }
        // A loss before any peer is expected must not end the wait.
        if (wasMissing) {
            completeIfNoneIsMissing();
        }
    }

    /** One can't be had, and the job can't do without it; or the job has ended. */
    void fail(RobberException why) {
        all.completeExceptionally(why);
    }

    /** Whether the wait has ended. */
    boolean areOver() {
        return all.isDone();
    }

    private void completeIfNoneIsMissing() {
        boolean none;
        synchronized (this) {
            none = missing.isEmpty();
        }
        if (none) {
            all.complete(null);
        }
    }

    private void timedOut() {
        List<Integer> late;
        synchronized (this) {
            late = new ArrayList<>(missing);
        }
        StringBuilder names = new StringBuilder();
        for (int peer : late) {
            names.append(names.isEmpty() ? "" : ", ").append(context.describe(peer));
        }
        fail(
                new RobberException(
                        Reason.NETWORK,
                        late,
                        "connect",
                        context.describe(context.rank()) + " has no connection to " + names + " after "
                                + context.connectTimeout().toSeconds()
                                + " s, neither made by either side nor through another node: is there a firewall between them?"));
    }
}
