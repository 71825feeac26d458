package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.option.FileNameText;
import org.robber.cli.replicate.StreamReplication;
import org.robber.cli.request.ReportTerms;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.stream.StreamTarget;

/**
 * SRC... DEST of a command line. Methods throw {@code IllegalArgumentException} in words for users.
 *
 * @param sources as the user wrote them
 * @param destination as the user wrote it
 */
record CopyArguments(List<String> sources, String destination) {
    private static final String NAME_ADVICE = "use a link to it, or its parent folder";

    /** @param places at least two */
    static CopyArguments of(List<String> places) {
        return new CopyArguments(places.subList(0, places.size() - 1), places.get(places.size() - 1));
    }

    /**
     * Refuses names that cannot be meant, and streams or lists of paths together with other sources.
     *
     * @param roots how many nodes have a part of the source
     */
    void check(Selection selection, int roots) {
        sources.forEach(source -> checkPlace("SRC", source));
        checkPlace("DEST", destination);
        checkDecoded("--files-from", selection.filesFrom(), NAME_ADVICE);
        selection.rules().forEach(CopyArguments::checkRule);
        if (selection.deletes() && !selection.filesFrom().isEmpty()) {
            throw new IllegalArgumentException(
                    "use --delete or --files-from, not both: a list of files does not say what else the source has");
        }
        if (roots > 1 && (selection.deletes() || !selection.filesFrom().isEmpty())) {
            throw new IllegalArgumentException(
                    "--delete and --files-from need one --root: none of several knows what the others have");
        }
        if (sources.size() == 1 && roots == 1) {
            return;
        }
        if (!selection.filesFrom().isEmpty()) {
            throw new IllegalArgumentException(
                    "--files-from lists paths of one SRC, and " + sources.size() + " are given");
        }
        if (destinationIsStandardOutput() || sources.stream().anyMatch(StreamReplication::isStream)) {
            throw new IllegalArgumentException(
                    "a stream is the only SRC, and comes from rank 0: leave out the others, and --root");
        }
    }

    /** Refuses a name of a source or destination that cannot be meant. */
    static void checkPlace(String what, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException(what + " is an empty name");
        }
        checkDecoded(what, name, NAME_ADVICE);
    }

    /** A pattern that matches nothing would protect nothing from {@code --delete}. */
    private static void checkRule(RuleText rule) {
        checkDecoded(
                rule.kind().option(),
                rule.text(),
                rule.kind() == Kind.EXCLUDE_FROM ? "use a link to it" : "write * in place of those characters");
    }

    private static void checkDecoded(String what, String text, String advice) {
        if (!FileNameText.isDecoded(text)) {
            throw new IllegalArgumentException(what + " is not UTF-8: " + advice);
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
     * @param roots ranks of the nodes that have it
     */
    SourceTerms source(Selection selection, ImmutableList<Integer> roots) {
        boolean content = !selection.filesFrom().isEmpty() && !sources.get(0).endsWith("/");
        return new SourceTerms(content ? List.of(sources.get(0) + "/") : sources, selection, roots);
    }

    /**
     * Several sources make one tree.
     *
     * @param roots how many nodes have a part of it
     */
    String tree(int roots) {
        return (sources.size() == 1 && roots == 1) || destination.endsWith("/") ? destination : destination + "/";
    }

    /** The hosts of all ranks but 0, if the first of several roots has that. Those of the other roots come first: no absent host changes their ranks. */
    static List<ListedHost> afterFirstRoot(SourceTerms source, List<ListedHost> hosts) {
        List<ListedHost> ordered = new ArrayList<>();
        source.roots().subList(1, source.roots().size()).forEach(root -> ordered.add(hosts.get(root - 1)));
        for (int rank = 1; rank <= hosts.size(); rank++) {
            if (!source.isRoot(rank)) {
                ordered.add(hosts.get(rank - 1));
            }
        }
        return ordered;
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
        int root = source.roots().get(0);
        boolean hasRanks = source.paths().stream().anyMatch(path -> path.contains("{rank}") || path.contains("{node}"));
        if (source.isStriped() && hasRanks) {
            throw new IllegalArgumentException(
                    "with -w, hosts with a part get the lowest ranks, so {rank} and {node} in"
                            + " SRC are not those of the list: use {host}");
        }
        if (source.isStriped() && root == 0) {
            throw new IllegalArgumentException("--root=" + source.rootsText() + ": with -w, hosts have the ranks 1 to "
                    + hosts.size() + ", and this machine has no part beside them");
        }
        int last = source.roots().get(source.roots().size() - 1);
        if (last > hosts.size()) {
            throw new IllegalArgumentException("--root=" + source.rootsText() + ": there is no node " + last
                    + ", hosts have the ranks 1 to " + hosts.size());
        }
        if (root > 0) {
            if (remote.isPresent()) {
                throw new IllegalArgumentException(
                        "SRC names its host, " + remote.get().host().name() + ": leave out --root");
            }
            remote = Optional.of(new RemoteSources(hosts.get(root - 1), source.paths()));
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
