package org.robber.transport.job.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.job.Cluster;

class LinksOfJoinerTest {
    private static final long LIMIT_SECONDS = 20;

    /** Whoever is told may have to wait for other threads, and these for the links. */
    @Test
    void thatNobodyIsLeftIsToldOutsideOfTheLock() throws Exception {
        try (Cluster cluster = new Cluster(1, 2)) {
            JobContext context = cluster.context(1);
            CompletableFuture<LinksOfJoiner> made = new CompletableFuture<>();
            CompletableFuture<RobberException> told = new CompletableFuture<>();
            LinksOfJoiner links = new LinksOfJoiner(
                    new LinksOfJoiner.JoinerContext(
                            context.knownNodes(),
                            1,
                            /* members= */ 0,
                            context.sockets(),
                            context.dialer(),
                            new LinkTable.Limits(Duration.ofSeconds(20), Duration.ofSeconds(20))),
                    0,
                    null,
                    null,
                    why -> {
                        CompletableFuture.runAsync(() -> made.join().close())
                                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                                .join();
                        told.complete(why);
                    });
            made.complete(links);
            links.fill();

            assertThat(told.get(LIMIT_SECONDS, TimeUnit.SECONDS).reason()).isEqualTo(Reason.NETWORK);
        }
    }
}
