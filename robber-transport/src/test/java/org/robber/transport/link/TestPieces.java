package org.robber.transport.link;

import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.robber.Storage;
import org.robber.core.node.MulticastNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;

/**
 * Transfers between two nodes of one cluster.
 *
 * @param storageThreads run what reads and writes pieces
 */
record TestPieces(int pieces, int pieceBytes, Executor storageThreads) {
    /** Pieces of one byte that are never read or written. */
    TestPieces(int pieces) {
        this(pieces, 1, work -> {});
    }

    Transfer transfer(MulticastNode machine, boolean root, int requestLimit, EventExecutor executor) {
        Storage memory = Storage.of(ByteBuffer.allocateDirect(pieces * pieceBytes));
        return transfer(machine, root, requestLimit, executor, new SlowStorage(memory));
    }

    Transfer transfer(MulticastNode machine, boolean root, int requestLimit, EventExecutor executor, Storage storage) {
        PieceHasher hasher = PieceHashers.named("xxh3-128");
        Topology topology = Topology.ofSizes(2);
        int totalBytes = pieces * pieceBytes;
        return new Transfer(
                new PieceLayout(totalBytes, pieceBytes),
                storage,
                root ? PieceSet.full(pieces) : PieceSet.empty(pieces),
                new DigestTable(pieces, hasher.digestBytes()),
                machine,
                number -> number,
                number -> requestLimit,
                new TransferTally(() -> topology, totalBytes, 0),
                new TransferResources(
                        hasher, 1 << 20, /* encrypted= */ false, storageThreads, executor, System::nanoTime),
                new UnexpectedFailure());
    }
}
