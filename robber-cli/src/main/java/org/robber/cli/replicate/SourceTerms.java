package org.robber.cli.replicate;

import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.filter.Selection;

/**
 * What a job copies.
 *
 * @param paths as the user wrote them: a slash at the end counts; at least one
 * @param selection what of them
 * @param root rank of the node that has them
 */
public record SourceTerms(List<String> paths, Selection selection, int root) {
    public SourceTerms {
        paths = List.copyOf(paths);
    }

    /** The first path; a stream is the only one. */
    public String first() {
        return paths.get(0);
    }

    /**
     * Refuses a root that no node is.
     *
     * @param nodes how many there are
     * @throws RobberException with {@code USAGE}
     */
    public void check(int nodes) {
        if (root >= nodes) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "--root=" + root + ": there is no such node, ranks are 0 to " + (nodes - 1));
        }
    }

    /** All paths, for people to read. */
    String text() {
        return String.join(" ", paths);
    }
}
