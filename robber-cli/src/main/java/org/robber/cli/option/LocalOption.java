package org.robber.cli.option;

import org.jspecify.annotations.Nullable;
import org.robber.cli.launch.LocalShape;
import picocli.CommandLine.Option;

/** Where the nodes are: on this machine, or wherever a launcher has started them. */
public final class LocalOption {

    /** In lists of options: before those that have no order of their own. */
    private static final int FIRST = -2;

    @Option(
            names = "--local",
            order = FIRST,
            paramLabel = "CxN",
            converter = LocalShapeText.class,
            description = "All nodes are on this machine: C clusters of N nodes. Each has its own folder in DEST.")
    private @Nullable LocalShape shape;

    /** The nodes, if they are all on this machine, or null. */
    public @Nullable LocalShape shape() {
        return shape;
    }
}
