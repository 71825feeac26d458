package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.meeting.Group;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.job.peer.MulticastGroup;

class ExchangeChannelTest {
    /** Below the connect timeout of a {@link Cluster}. */
    private static final long LIMIT_SECONDS = 20;

    private static final int BYTES = 1 << 20;

    /** Rank 1 is no member, but the group comes from one with it. So rank 2 has ended its calls, and never connects. */
    @Test
    void aLossEndsTheWaitForTheFirstConnections() throws Exception {
        try (Cluster cluster = new Cluster(1, 3)) {
            Group members = Group.child(Group.world(3), 1, 0, List.of(0, 2));
            ExchangeChannel channel = new ExchangeChannel(
                    cluster.context(0),
                    MulticastGroup.of(members, Topology.ofSizes(3)),
                    ChannelOptions.defaults(),
                    /* complete= */ true,
                    7);
            PieceLayout layout = new PieceLayout(BYTES, BYTES / 16);
            Exchange exchange = new Exchange(
                    "bcast",
                    0,
                    layout,
                    DataPlacement.ofRoot(0, layout.pieceCount()),
                    Storage.of(ByteBuffer.allocate(BYTES)),
                    null,
                    () -> CompletableFuture.completedFuture(null),
                    digest -> CompletableFuture.completedFuture(null),
                    bytes -> {});
            channel.connect();
            CompletableFuture<Void> call = channel.run(exchange, new CompletableFuture<>(), () -> true);
            // A task of every event loop comes behind the one that waits for connections.
            for (EventExecutor loop : cluster.context(0).sockets().group()) {
                loop.submit(() -> {}).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }

            channel.lost(1, new RobberException(Reason.NETWORK, List.of(1), "bcast", "rank 1 was killed"));
            ExecutionException end =
                    catchThrowableOfType(ExecutionException.class, () -> call.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertThat(end).hasRootCauseInstanceOf(RobberException.class).hasMessageContaining("rank 1");
            channel.close();
        }
    }
}
