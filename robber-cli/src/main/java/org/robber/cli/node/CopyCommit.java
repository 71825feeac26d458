package org.robber.cli.node;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.NodeFailure;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.record.CopyRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a copy: it gets its final name. */
public final class CopyCommit {

    private static final Logger LOG = LoggerFactory.getLogger(CopyCommit.class);
    private static final String PHASE = "commit";

    private CopyCommit() {}

    /**
     * Shows a copy under its final name.
     *
     * @param stateFolder where it is kept what copies consist of, if anywhere
     * @param host the name of this machine
     * @param commit does it, and keeps the record of the copy in the place given, if there is one
     * @return why that did not go, or null
     */
    public static @Nullable NodeFailure show(
            TreeTarget target, @Nullable Path stateFolder, String host, Consumer<@Nullable Path> commit) {
        return attempt(() -> commit.accept(
                stateFolder == null
                        ? null
                        : new CopyRecords(stateFolder, host).prepare(target.directory(), target.name())));
    }

    /**
     * Does a step of the end of a copy.
     *
     * @return why that did not go, or null
     */
    public static @Nullable NodeFailure attempt(Runnable step) {
        try {
            step.run();
            return null;
        } catch (RobberException e) {
            return new NodeFailure(e.reason(), PHASE, FailureText.of(e));
        } catch (RuntimeException e) {
            LOG.error("cannot commit", e);
            return new NodeFailure(Reason.INTERNAL, PHASE, e.toString());
        }
    }
}
