package org.robber.transport.job;

import com.google.common.base.Throwables;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.job.peer.ChannelMembers;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.job.peer.RunningTransfer;
import org.robber.transport.job.progress.ProgressReports;
import org.robber.transport.job.progress.StandstillWatch;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;

/**
 * Runs the exchanges of a group that use the same connections, one after the other. The first of them makes the connections, which
 * stay until the end of the job. Thread-safe.
 */
final class ExchangeChannel implements JobListener {
    private final JobContext context;
    private final MulticastGroup group;
    private final TransferFactory transfers;
    private final Overlay overlay;
    private final PeerLinks links;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private @Nullable CompletableFuture<Void> connected;
    private @Nullable Running running;
    private @Nullable RobberException failure;
    private volatile TransferTally tally;

    /** An exchange and this node's part in it. */
    private record Running(Exchange exchange, Transfer transfer, ScheduledFuture<?> watch) {}

    /**
     * A channel without connections.
     *
     * @param options strategy, digest and memory of its exchanges
     * @param complete whether each node is connected to each other, for exchanges in which nodes want parts
     */
    ExchangeChannel(
            JobContext context, MulticastGroup group, ChannelOptions options, boolean complete, long channelNumber) {
        this.context = context;
        this.group = group;
        this.transfers = new TransferFactory(
                context,
                options,
                Strategies.byName(options.strategy(), options.bandwidths()),
                PieceHashers.named(options.digest()),
                context.sockets().group().next());
        this.overlay = complete
                ? Overlay.complete(group.topology())
                : ChannelMembers.plan(
                        transfers.strategy(),
                        group.topology(),
                        context.controlPlane().roster().seed() + channelNumber);
        this.links = new PeerLinks(context, channelNumber);
        this.tally = new TransferTally(context::topology, 0, 0);
    }

    /**
     * Runs an exchange after those that were begun here before.
     *
     * @param nearlyHere is completed when this node has nearly all that it wants
     * @param earlierAreOver whether all members have ended the exchanges before, of this channel and of others
     */
    synchronized CompletableFuture<Void> run(
            Exchange exchange, CompletableFuture<Void> nearlyHere, BooleanSupplier earlierAreOver) {
        CompletableFuture<Void> done = last.handle((before, problem) -> true)
                .thenComposeAsync(free -> begin(exchange, nearlyHere, earlierAreOver), transfers.executor());
        last = done;
        return done;
    }

    /** Makes the connections, if there are none. All members do so at about the same time, while they may begin an exchange at very different times. */
    void connect() {
        CompletableFuture<Void> unused = connected();
    }

    /** Completes when none is under way here. */
    synchronized CompletableFuture<Void> idle() {
        return last.handle((ended, problem) -> null);
    }

    /** Ends the connections, and what is under way if nobody has waited for its end: no event of the job would end it later. */
    void close() {
        left(context.failure(
                Reason.USAGE, context.rank(), "close", "the communicator was closed while a call was under way"));
        links.close();
    }

    /** What the last exchange has moved. */
    TransferStats lastStats() {
        return tally.stats();
    }

    private CompletableFuture<Void> begin(
            Exchange exchange, CompletableFuture<Void> nearlyHere, BooleanSupplier earlierAreOver) {
        CompletableFuture<Void> open = connected().whenComplete((there, problem) -> {
            if (problem != null) {
                giveUpUnlessFailed(problem);
            }
        });
        return open.thenCompose(there -> exchange.preparation().get())
                .thenComposeAsync(ready -> start(exchange, nearlyHere, earlierAreOver), transfers.executor());
    }

    /**
     * Without its connections, this node never takes part in the exchange. Others would wait for it, and nobody is lost. A peer that is dead is
     * announced by then.
     */
    private void giveUpUnlessFailed(Throwable problem) {
        if (Throwables.getRootCause(problem) instanceof RobberException why) {
            Duration left =
                    context.idleTimeout().plusMillis(PeerLinks.TOLD_LATE_MILLIS).minus(context.connectTimeout());
            context.sockets()
                    .later(
                            () -> {
                                if (!hasFailed()) {
                                    context.controlPlane().giveUp(why);
                                }
                            },
                            Math.max(0, left.toMillis()));
        }
    }

    private synchronized boolean hasFailed() {
        return failure != null;
    }

    private synchronized CompletableFuture<Void> connected() {
        if (failure != null) {
            // A node that was lost before would be waited for until the connect timeout.
            return CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<Void> open = connected;
        if (open == null) {
            open = links.open(group, overlay);
            connected = open;
        }
        return open;
    }

    private CompletableFuture<Void> start(
            Exchange exchange, CompletableFuture<Void> nearlyHere, BooleanSupplier earlierAreOver) {
        Begin begin = transfers.begin(exchange);
        InitialPieces possession = InitialPieces.of(
                exchange.placement(), group.number(context.rank()), exchange.layout(), transfers.hasher());
        PieceSet wanted = exchange.placement().wantedBy(group.number(context.rank()));
        TransferFailures failures = TransferFailures.ofExchange(context, links, exchange.call());
        tally = new TransferTally(
                context.knownNodes()::topology, begin.totalBytes(), possession.reusedBytes(), wanted::contains);
        Transfer transfer = transfers.create(
                begin, exchange.placement(), possession, exchange.storage(), group, overlay, tally, failures);
        Production production = exchange.products() == null
                ? null
                : new Production(exchange.products(), transfer, context.storageThreads(), failures);
        synchronized (this) {
            if (failure != null) {
                transfer.close(failure);
                return CompletableFuture.failedFuture(failure);
            }
            running = new Running(exchange, transfer, watch(exchange, transfer, earlierAreOver));
        }
        transfer.nearlyCompleted().thenRun(() -> nearlyHere.complete(null));
        links.multicast().begin(new RunningTransfer(begin, transfer, group), overlay);
        transfer.start();
        if (production != null) {
            production.start();
        }
        return transfer.completed()
                .thenCompose(here -> digest(exchange, transfer))
                .thenCompose(digest -> exchange.agreement().apply(digest))
                .thenCompose(agreed -> failures.unlessLate(transfer.finished()))
                .whenComplete((done, problem) -> end(transfer, problem));
    }

    private ScheduledFuture<?> watch(Exchange exchange, Transfer transfer, BooleanSupplier earlierAreOver) {
        StandstillWatch watch =
                new StandstillWatch(context, exchange, transfer, earlierAreOver, ProgressReports.watchClock());
        return transfers
                .executor()
                .scheduleAtFixedRate(
                        watch::look,
                        ProgressReports.PERIOD_MILLIS,
                        ProgressReports.PERIOD_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** The digest over all pieces, if this node has them all. */
    private static CompletableFuture<byte[]> digest(Exchange exchange, Transfer transfer) {
        if (!exchange.placement().isWantedByAll()) {
            return CompletableFuture.completedFuture(new byte[0]);
        }
        // An owner may have pieces that no node has requested of it.
        transfer.readAll();
        return transfer.digestOfAll();
    }

    private void end(Transfer transfer, @Nullable Throwable problem) {
        Running over;
        synchronized (this) {
            over = running;
            running = null;
        }
        if (over != null) {
            over.watch.cancel(false);
        }
        if (problem == null) {
            links.multicast().end();
        } else {
            links.multicast().abandon();
            transfer.close(problem);
        }
        transfer.release();
    }

    @Override
    public void lost(int rank, RobberException why) {
        if (group.members().dependsOn(rank)) {
            RobberException loss = TransferFailures.incomplete(rank, why, "exchange");
            Running now = fail(loss);
            // Other members have ended the call, too. They may never connect.
            links.endWait(loss);
            links.nodeLost(rank);
            if (now != null) {
                now.transfer.close(TransferFailures.incomplete(rank, why, now.exchange.call()));
            }
        }
    }

    @Override
    public void failed(RobberException why) {
        Running now = fail(why);
        if (now != null) {
            now.transfer.close(why);
        }
        links.abort(why);
    }

    @Override
    public void left(RobberException why) {
        Running now = fail(why);
        if (now != null) {
            now.transfer.close(why);
        }
        links.endWait(why);
    }

    private synchronized @Nullable Running fail(RobberException why) {
        failure = failure == null ? why : failure;
        return running;
    }
}
