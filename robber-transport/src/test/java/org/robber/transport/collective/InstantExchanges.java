package org.robber.transport.collective;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.collective.exchange.Exchanges;

/** Exchanges that end at once and move nothing. */
public class InstantExchanges implements Exchanges {
    private final Topology topology;

    public InstantExchanges(Topology topology) {
        this.topology = topology;
    }

    @Override
    public int pieceBytes(long totalBytes) {
        return 1 << 14;
    }

    @Override
    public int reductionPieceBytes(long vectorBytes) {
        return pieceBytes(vectorBytes);
    }

    @Override
    public int pieceBytes(long totalBytes, Supplier<DataPlacement> placement) {
        return pieceBytes(totalBytes);
    }

    @Override
    public boolean hasLongLines() {
        return false;
    }

    @Override
    public long mostPersonalBytes() {
        return 0;
    }

    @Override
    public boolean isOneMachine() {
        return false;
    }

    @Override
    public boolean mayShareMemory() {
        return false;
    }

    @Override
    public ReductionPlanner reductions() {
        return ReductionPlanner.byClusters(topology);
    }

    @Override
    public CompletableFuture<Void> run(Exchange exchange) {
        return exchange.preparation().get();
    }

    @Override
    public <T> CompletableFuture<T> watched(String call, CompletableFuture<T> part) {
        return part;
    }

    @Override
    public CompletableFuture<Void> idle() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
}
