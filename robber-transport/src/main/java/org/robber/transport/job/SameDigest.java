package org.robber.transport.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.link.Transfer;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * The check of calls with several owners in which all nodes want everything: the digests over all pieces are the same at all nodes. They
 * differ if two roots have different data.
 */
record SameDigest(String phase) implements FinalCheck {
    @Override
    public CompletableFuture<?> verified(Transfer transfer) {
        return transfer.completed();
    }

    @Override
    public CompletableFuture<byte[]> arrive(Transfer transfer, CollectiveCall call) {
        // An owner may have pieces that no node has requested of it.
        transfer.readAll();
        return transfer.digestOfAll()
                .thenCompose(digest -> call.arrive(digest, digests -> {
                    check(phase, digests);
                    return new byte[0];
                }));
    }

    /**
     * At rank 0: compares the data, or their digests, of all nodes that have any.
     *
     * @param ofRanks empty for nodes that have none, or were lost
     * @throws RobberException if they differ
     */
    static void check(String phase, List<byte[]> ofRanks) {
        List<Integer> different = new ArrayList<>();
        byte[] first = new byte[0];
        for (int rank = 0; rank < ofRanks.size(); rank++) {
            byte[] own = ofRanks.get(rank);
            first = first.length == 0 ? own : first;
            if (own.length > 0 && !Arrays.equals(own, first)) {
                different.add(rank);
            }
        }
        if (!different.isEmpty()) {
            throw new RobberException(
                    Reason.INTEGRITY,
                    different,
                    phase,
                    phase + ": the data of ranks " + different
                            + " differ from those of the other ranks; roots must have"
                            + " the same data before the call");
        }
    }
}
