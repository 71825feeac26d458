package org.robber.transport.job;

import com.google.common.hash.Hashing;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.robber.transport.collective.Exchange;
import org.robber.transport.collective.Exchanges;

/**
 * The exchanges of one group. Those of even and of odd numbers use different connections, so two may be under way at once; more wait for
 * their turn. Thread-safe.
 */
final class ExchangeLanes implements Exchanges {
    private static final int LANES = 2;

    private final NettyJob job;
    private final MulticastGroup group;
    private final Map<Lane, ExchangeChannel> channels = new HashMap<>();

    /** Connections of one kind. */
    private record Lane(int number, boolean complete) {}

    ExchangeLanes(NettyJob job, MulticastGroup group) {
        this.job = job;
        this.group = group;
    }

    @Override
    public int pieceBytes(long totalBytes) {
        return job.context().nearness().automaticLayout(totalBytes).pieceBytes();
    }

    @Override
    public CompletableFuture<Void> run(Exchange exchange) {
        boolean complete = !exchange.placement().isWantedByAll();
        return channel(new Lane((int) (exchange.number() % LANES), complete)).run(exchange);
    }

    private ExchangeChannel channel(Lane lane) {
        ExchangeChannel channel;
        synchronized (this) {
            ExchangeChannel open = channels.get(lane);
            if (open != null) {
                return open;
            }
            channel = new ExchangeChannel(job.context(), group, lane.complete, channelNumber(lane));
            channels.put(lane, channel);
        }
        job.onLost(channel::nodeLost);
        job.context().controlPlane().onFailure(channel::jobFailed);
        return channel;
    }

    /** Even and negative: no channel that an application opens has such a number, and neither has the mesh. */
    private long channelNumber(Lane lane) {
        long hash = Hashing.sha256()
                .newHasher()
                .putLong(group.members().id())
                .putInt(lane.number)
                .putBoolean(lane.complete)
                .hash()
                .asLong();
        return (hash | Long.MIN_VALUE) & ~1L;
    }
}
