package org.robber.cli.replicate;

import java.util.List;
import org.robber.cli.filter.Selection;

/**
 * What a job copies.
 *
 * @param paths as the user wrote them: a slash at the end counts; at least one
 * @param selection what of them
 */
public record SourceTerms(List<String> paths, Selection selection) {
    public SourceTerms {
        paths = List.copyOf(paths);
    }

    /** The first path; a stream is the only one. */
    public String first() {
        return paths.get(0);
    }

    /** All paths, for people to read. */
    String text() {
        return String.join(" ", paths);
    }
}
