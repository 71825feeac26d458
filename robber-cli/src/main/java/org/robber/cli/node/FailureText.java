package org.robber.cli.node;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;

/** Failures in words that name the node: its cluster and index, its rank, its host. */
public final class FailureText {

    private static final int MOST_NAMED = 8;

    private FailureText() {}

    /** A failure in one line. */
    public static String of(RobberException failure) {
        return String.valueOf(failure.getMessage()).replaceAll("\\R", " ");
    }

    /**
     * Writes the report of a failure, unless the failure is that no report can be written.
     *
     * @param write given what has failed, for the message if it cannot write the report
     * @return the failure, which also says so if the report could not be written
     */
    public static RobberException delivered(RobberException failure, Consumer<String> write) {
        if (ReportFile.PHASE.equals(failure.phase())) {
            return failure;
        }
        try {
            write.accept(of(failure));
            return failure;
        } catch (RobberException e) {
            return new RobberException(failure.reason(), failure.ranks(), failure.phase(), of(e), failure);
        }
    }

    /**
     * The same for a result in JSON, which is printed first if it is wanted so.
     *
     * @param file of the report, or null
     * @param rank of this node
     * @param json the result that the failed job has
     */
    public static RobberException delivered(
            RobberException failure,
            NodeOutput output,
            OutputFormat format,
            @Nullable Path file,
            int rank,
            String json) {
        if (format == OutputFormat.JSON) {
            output.result(json.stripTrailing());
        }
        return delivered(failure, text -> ReportFile.write(file, json, rank, text));
    }

    /** A failure at this node, in words for all nodes: the reason stays, the node is named. */
    static RobberException here(Communicator world, String phase, RobberException failure) {
        return here(node(world, world.rank()), world.rank(), phase, failure);
    }

    /**
     * The same without a job.
     *
     * @param node as people find it
     */
    public static RobberException here(String node, int rank, String phase, RobberException failure) {
        return failure.ranks().isEmpty()
                ? new RobberException(
                        failure.reason(),
                        List.of(rank),
                        phase,
                        node + " failed during '" + phase + "': " + of(failure),
                        failure)
                : failure;
    }

    /** As {@link #here(Communicator, String, RobberException)}, for anything else that was thrown. */
    static RobberException here(Communicator world, String phase, Reason reason, Throwable cause) {
        return new RobberException(
                reason,
                List.of(world.rank()),
                phase,
                node(world, world.rank()) + " failed during '" + phase + "': " + FileFailure.text(cause),
                cause);
    }

    /** A node as people find it. */
    public static String node(Communicator world, int rank) {
        return node(world.nodeName(rank), rank, world.hostName(rank));
    }

    /** A node as people find it. */
    public static String node(String name, int rank, String host) {
        return "node " + name + " (rank " + rank + ", host " + host + ")";
    }

    /** These nodes as people find them; the first few of many. */
    public static String nodes(Communicator world, List<Integer> ranks) {
        String named =
                ranks.stream().limit(MOST_NAMED).map(rank -> node(world, rank)).collect(Collectors.joining(", "));
        return ranks.size() > MOST_NAMED ? named + " and " + (ranks.size() - MOST_NAMED) + " more" : named;
    }
}
