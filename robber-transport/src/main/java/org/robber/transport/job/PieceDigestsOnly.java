package org.robber.transport.job;

import java.util.concurrent.CompletableFuture;
import org.robber.transport.link.Transfer;

/**
 * The check of calls in which nodes want parts. Each piece comes from its owner with its digest, so nothing is left to compare at the
 * end.
 */
record PieceDigestsOnly() implements FinalCheck {
    @Override
    public CompletableFuture<?> verified(Transfer transfer) {
        return transfer.completed();
    }
}
