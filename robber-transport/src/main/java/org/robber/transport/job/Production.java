package org.robber.transport.job;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.robber.transport.collective.reduce.ReductionProducts;
import org.robber.transport.link.FailureListener;
import org.robber.transport.link.Transfer;

/** Produces the pieces of an exchange as soon as their inputs are here. Thread-safe. */
final class Production {
    private final ReductionProducts products;
    private final Transfer transfer;
    private final Executor threads;
    private final FailureListener failures;

    /** @param threads on which products are made */
    Production(ReductionProducts products, Transfer transfer, Executor threads, FailureListener failures) {
        this.products = products;
        this.transfer = transfer;
        this.threads = threads;
        this.failures = failures;
        transfer.onStored(this::pieceCame);
    }

    /** To be called once the transfer has started. */
    void start() {
        run(products.atStart(this::produced));
    }

    private void pieceCame(int piece) {
        run(products.pieceCame(piece, this::produced));
    }

    private void produced(int piece) {
        transfer.produced(piece);
        pieceCame(piece);
    }

    private void run(List<Runnable> work) {
        try {
            work.forEach(each -> threads.execute(() -> transfer.write(() -> {
                try {
                    each.run();
                } catch (RuntimeException | Error e) {
                    failures.here(e);
                }
            })));
        } catch (RejectedExecutionException e) {
            failures.here(e);
        }
    }
}
