package org.robber.transport.job;

import java.io.IOException;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.link.Transfer;

/** What goes wrong in a transfer ends the job, with the reason that users can act on. */
final class TransferFailures implements Transfer.Failure {
    private final JobMeans means;
    private final String phase;
    private final boolean root;

    TransferFailures(JobMeans means, String phase, boolean root) {
        this.means = means;
        this.phase = phase;
        this.root = root;
    }

    @Override
    public void here(Throwable cause) {
        if (cause instanceof RobberException told) {
            means.assembly()
                    .fail(new RobberException(
                            told.reason(),
                            List.of(means.rank()),
                            phase,
                            means.describe(means.rank()) + ": " + told.getMessage(),
                            told));
            return;
        }
        Reason storage = root ? Reason.SOURCE : Reason.DESTINATION;
        Reason reason = cause instanceof IOException ? storage : Reason.INTERNAL;
        means.assembly()
                .fail(new RobberException(
                        reason,
                        List.of(means.rank()),
                        phase,
                        means.describe(means.rank()) + " failed during '" + phase + "': " + cause,
                        cause));
    }

    @Override
    public void peer(int rank, String why) {
        means.assembly().fail(means.failure(Reason.INTEGRITY, rank, phase, why));
    }
}
