package org.robber.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of nodes that get data: how much of it at a time, and what to do with what an earlier run has left. */
final class IntakeOptions {
    private static final long SMALLEST_MEMORY_BYTES = 4L << 20;

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "512M",
            converter = SizeText.class,
            description = "Most memory for pieces on their way, per node. Default: 512M.")
    private long memoryBytes;

    @Option(
            names = "--request-window",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Pieces asked of one peer at a time, at first: robber and mob then go by the line, trees have windows of their own. Default: 5.")
    private int requestWindow;

    @Option(
            names = "--restart",
            fallbackValue = "true",
            arity = "0",
            description = "Begin anew where an earlier run was interrupted, say since the source has changed.")
    private boolean restart;

    /** Refuses values that make no sense. */
    void check() {
        if (memoryBytes < SMALLEST_MEMORY_BYTES) {
            throw new ParameterException(spec.commandLine(), "--memory must be at least 4M");
        }
        if (requestWindow < 1) {
            throw new ParameterException(spec.commandLine(), "--request-window must be at least 1");
        }
    }

    long memoryBytes() {
        return memoryBytes;
    }

    int requestWindow() {
        return requestWindow;
    }

    /** Whether to begin anew where an earlier run was interrupted. */
    boolean restart() {
        return restart;
    }
}
