package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.Storage;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A transfer fails while something is written to its storage. */
class TransferEndTest {
    private static final int PIECES = 8;

    private final DefaultEventExecutor executor = new DefaultEventExecutor();

    @AfterEach
    void end() {
        executor.shutdownGracefully();
    }

    private Transfer transfer(Storage storage) {
        Topology topology = Topology.ofSizes(2);
        Overlay overlay = Overlay.builder(topology).connect(0, 1).build();
        NodeSetup setup = new NodeSetup(1, topology, overlay, 0, PieceSet.empty(PIECES), 1, 5, 1);
        return new TestPieces(PIECES)
                .transfer(new MobStrategy().createNode(setup), /* root= */ false, 5, executor, storage);
    }

    /** @param isInMemory if not, the storage may hang, and nobody waits for it */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itsFailureIsToldOnceTheMemoryOfTheCallerIsFree(boolean isInMemory) {
        Storage memory = Storage.of(ByteBuffer.allocateDirect(PIECES));
        Transfer transfer = transfer(isInMemory ? memory : new SlowStorage(memory));
        CompletableFuture<Void> completed = transfer.completed();

        transfer.write(() -> {
            transfer.close(new IllegalStateException("a node was lost"));

            assertThat(completed.isDone()).isEqualTo(!isInMemory);
        });

        assertThat(completed).isCompletedExceptionally();
    }

    @Test
    void nothingIsWrittenAfterIt() {
        Transfer transfer = transfer(Storage.of(ByteBuffer.allocateDirect(PIECES)));
        transfer.close(new IllegalStateException("a node was lost"));

        transfer.write(() -> {
            throw new AssertionError("written");
        });

        assertThat(transfer.finished()).isCompletedExceptionally();
    }
}
