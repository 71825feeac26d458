package org.robber.cli.option;

import picocli.CommandLine.Option;

/** How many pieces a node has requested of one peer at a time. */
public final class RequestWindowOption {

    @Option(
            names = "--request-window",
            paramLabel = "N",
            defaultValue = "5",
            converter = CountText.class,
            description = "Initial number of outstanding piece requests per peer; robber and mob adapt it, trees"
                    + " ignore it. Default: ${DEFAULT-VALUE}.")
    private int requests;

    /** At least 1. */
    public int requests() {
        return requests;
    }
}
