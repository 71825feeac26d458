package org.robber.cli;

import java.util.List;
import java.util.Optional;
import org.robber.cli.filter.Selection;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.replicate.ReportTerms;
import org.robber.cli.replicate.SourceTerms;
import org.robber.cli.replicate.StreamReplication;
import org.robber.cli.stream.StreamTarget;

/**
 * SRC... DEST of a command line. Methods throw {@code IllegalArgumentException} in words for users.
 *
 * @param sources as the user wrote them
 * @param destination as the user wrote it
 */
record CopyArguments(List<String> sources, String destination) {
    private static final char REPLACEMENT = '\uFFFD';

    /** @param places at least two */
    static CopyArguments of(List<String> places) {
        return new CopyArguments(places.subList(0, places.size() - 1), places.get(places.size() - 1));
    }

    /** Refuses names that cannot be meant, and streams or lists of paths together with other sources. */
    void check(Selection selection) {
        if (sources.contains("") || destination.isEmpty()) {
            throw new IllegalArgumentException((sources.contains("") ? "SRC" : "DEST") + " is an empty name");
        }
        sources.forEach(source -> checkName("SRC", source));
        checkName("DEST", destination);
        if (selection.deletes() && !selection.filesFrom().isEmpty()) {
            throw new IllegalArgumentException(
                    "use --delete or --files-from, not both: a list of files does not say what else the source has");
        }
        if (sources.size() == 1) {
            return;
        }
        if (!selection.filesFrom().isEmpty()) {
            throw new IllegalArgumentException(
                    "--files-from lists paths of one SRC, and " + sources.size() + " are given");
        }
        if (destinationIsStandardOutput() || sources.stream().anyMatch(StreamReplication::isStream)) {
            throw new IllegalArgumentException("a stream is the only SRC, and " + sources.size() + " are given");
        }
    }

    /** Java replaces bytes that it cannot decode by this character, so that the name would be another. */
    static void checkName(String what, String name) {
        if (name.indexOf(REPLACEMENT) >= 0) {
            throw new IllegalArgumentException(what + " is not UTF-8: use a link to it, or its parent folder");
        }
    }

    boolean destinationIsStandardOutput() {
        return destination.equals(StreamTarget.STANDARD);
    }

    /** Refuses standard output where several nodes would share that of the command. */
    void checkSharedOutput() {
        if (destinationIsStandardOutput()) {
            throw new IllegalArgumentException(
                    "DEST - is the standard output of each node, and --local and -w have only one: give the name of a file"
                            + " or of a fifo there");
        }
    }

    /**
     * With a list of paths, the source counts as its content.
     *
     * @param root rank of the node that has it
     */
    SourceTerms source(Selection selection, int root) {
        boolean content = !selection.filesFrom().isEmpty() && !sources.get(0).endsWith("/");
        return new SourceTerms(content ? List.of(sources.get(0) + "/") : sources, selection, root);
    }

    /** Several sources make one tree. */
    String tree() {
        return sources.size() == 1 || destination.endsWith("/") ? destination : destination + "/";
    }

    /**
     * The sources, if they are on another host. Rank 0 is there then, and so are files that it reads or writes besides.
     *
     * @param hosts of the other ranks
     */
    static Optional<RemoteSources> remote(SourceTerms source, ReportTerms report, List<ListedHost> hosts) {
        Optional<RemoteSources> remote;
        try {
            remote = RemoteSources.of(source.paths());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("SRC: " + e.getMessage(), e);
        }
        if (source.root() > hosts.size()) {
            throw new IllegalArgumentException(
                    "--root=" + source.root() + ": there is no such node, hosts have the ranks 1 to " + hosts.size());
        }
        if (source.root() > 0) {
            if (remote.isPresent()) {
                throw new IllegalArgumentException(
                        "SRC names its host, " + remote.get().host().name() + ": leave out --root");
            }
            remote = Optional.of(new RemoteSources(hosts.get(source.root() - 1), source.paths()));
        }
        boolean readsOrWrites = report.file() != null
                || report.metrics() != null
                || source.selection().readsFiles();
        if (remote.isPresent() && readsOrWrites) {
            throw new IllegalArgumentException(
                    "rank 0 is on " + remote.get().host().name()
                            + ", and cannot reach files here: leave out --metrics, use -o json in place of --report, and --include and --exclude in place of"
                            + " --exclude-from and --files-from");
        }
        return remote;
    }
}
