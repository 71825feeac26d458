package org.robber.transport.job;

import java.util.concurrent.CompletableFuture;
import org.robber.transport.link.Transfer;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/** How it is made sure, beyond the digest of each piece, that all nodes have the same data at the end. */
interface FinalCheck {
    /** Completes when all that this node wants is here and right; fails this node if it is wrong. */
    CompletableFuture<?> verified(Transfer transfer);

    /** Called once it is verified: this node has done its part. Completes when all nodes have. */
    default CompletableFuture<byte[]> arrive(Transfer transfer, CollectiveCall call) {
        return call.arrive(new byte[0], payloads -> new byte[0]);
    }

    /** The call is over. */
    default void forget() {}
}
