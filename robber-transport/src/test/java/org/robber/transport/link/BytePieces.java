package org.robber.transport.link;

import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import org.robber.Storage;
import org.robber.core.node.MulticastNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;

/** Transfers between two nodes of one cluster, in pieces of one byte, that never read or write a piece. */
record BytePieces(int pieces) {
    Transfer transfer(MulticastNode machine, boolean root, int requestLimit, EventExecutor executor) {
        PieceHasher hasher = PieceHashers.named("xxh3-128");
        Topology topology = Topology.ofSizes(2);
        return new Transfer(
                new PieceLayout(pieces, 1),
                Storage.of(ByteBuffer.allocate(pieces)),
                root ? PieceSet.full(pieces) : PieceSet.empty(pieces),
                new DigestTable(pieces, hasher.digestBytes()),
                machine,
                number -> number,
                number -> requestLimit,
                new TransferTally(() -> topology, pieces, 0, 0),
                new TransferResources(hasher, 1 << 20, /* encrypted= */ false, work -> {}, executor, System::nanoTime),
                new UnexpectedFailure());
    }
}
