package org.robber.cli;

import com.google.common.collect.ImmutableSet;
import org.jspecify.annotations.Nullable;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of commands about the copies of all nodes: whose copies, and how the result is shown. */
final class CopyOptions {

    /** In lists of options: before those that have no order of their own. */
    private static final int FIRST = -2;

    /** What a job on this machine has no use for: it makes its own secrets. */
    static final ImmutableSet<String> OF_LAUNCHED_JOBS =
            ImmutableSet.of("--secret-file", "--tls-cert", "--tls-key", "--tls-ca");

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--local",
            order = FIRST,
            paramLabel = "CxN",
            converter = LocalShape.Converter.class,
            description = "All nodes are on this machine, C clusters of N; each has its own folder in DEST.")
    private @Nullable LocalShape local;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the result as text (default) or json.")
    private OutputFormat output = OutputFormat.TEXT;

    /** Refuses what a job on this machine would not look at; variables may name it, for other jobs. */
    void check() {
        for (String option : OF_LAUNCHED_JOBS) {
            if (local != null && spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--local needs no " + option + ", as it makes its own secrets: leave it out");
            }
        }
    }

    /** The nodes, if they are all on this machine, or null. */
    @Nullable
    LocalShape local() {
        return local;
    }

    OutputFormat output() {
        return output;
    }
}
