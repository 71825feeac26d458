package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.ListedHosts;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.request.ReportTerms;
import org.robber.cli.request.SourceTerms;

class CopyArgumentsTest {
    private static final List<ListedHost> HOSTS = ListedHosts.parse("A:node[1-2],B:admin@gpu1");
    private static final ReportTerms REPORT = new ReportTerms(OutputFormat.TEXT, null, null, List.of());

    private static RemoteSources remote(int root, String... places) {
        CopyArguments arguments = CopyArguments.of(List.of(places));
        return CopyArguments.remote(arguments.source(Selection.all(), ImmutableList.of(root)), REPORT, HOSTS)
                .orElse(null);
    }

    private static SourceTerms striped(Integer... roots) {
        return CopyArguments.of(List.of("/data/part", "/scratch")).source(Selection.all(), ImmutableList.copyOf(roots));
    }

    /** Ranks do not change then if a host without a part is absent. */
    @Test
    void hostsWithPartsComeFirst() {
        assertThat(CopyArguments.remote(striped(2, 3), REPORT, HOSTS)
                        .orElseThrow()
                        .host())
                .isEqualTo(HOSTS.get(1));
        assertThat(CopyArguments.afterFirstRoot(striped(2, 3), HOSTS)).containsExactly(HOSTS.get(2), HOSTS.get(0));
    }

    @Test
    void partsAreOnHostsOfTheListAndWholeByThemselves() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CopyArguments.remote(striped(0, 2), REPORT, HOSTS))
                .withMessageContaining("--root=0,2: with -w, hosts have the ranks 1 to 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CopyArguments.remote(striped(1, 4), REPORT, HOSTS))
                .withMessage("--root=1,4: there is no node 4, hosts have the ranks 1 to 3");
        SourceTerms ofRanks =
                CopyArguments.of(List.of("/data/{rank}", "/scratch")).source(Selection.all(), ImmutableList.of(1, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CopyArguments.remote(ofRanks, REPORT, HOSTS))
                .withMessageContaining("use {host}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CopyArguments.of(List.of("part", "-")).check(Selection.all(), 2))
                .withMessageContaining("a stream is the only SRC, and comes from rank 0");
        CopyArguments arguments = CopyArguments.of(List.of("part", "/scratch"));
        assertThat(arguments.tree(2)).as("a folder, for several parts").isEqualTo("/scratch/");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments.check(new Selection(List.of(), "", /* deletes= */ true), 2))
                .withMessageContaining("--delete and --files-from need one --root");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments.check(new Selection(List.of(), "list", /* deletes= */ false), 2))
                .withMessageContaining("--delete and --files-from need one --root");
    }

    @Test
    void theRootIsAHostOfTheList() {
        assertThat(remote(0, "tree", "/scratch/")).isNull();
        assertThat(remote(3, "/data/tree", "other", "/scratch/"))
                .isEqualTo(new RemoteSources(HOSTS.get(2), List.of("/data/tree", "other")));
    }

    @Test
    void aHostThatIsNotThereAndOneThatIsNamedTwiceAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remote(4, "tree", "/scratch/"))
                .withMessage("--root=4: there is no node 4, hosts have the ranks 1 to 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remote(1, "node2:tree", "/scratch/"))
                .withMessage("SRC names its host, node2: leave out --root");
    }

    /** A pattern that was not decoded matches nothing, and so protects nothing. */
    @Test
    void filtersThatAreNotUtf8AreRefused() {
        CopyArguments arguments = CopyArguments.of(List.of("tree", "/scratch/"));
        for (Kind kind : Kind.values()) {
            Selection selection = new Selection(List.of(new RuleText(kind, "caf\uFFFD")), "", /* deletes= */ true);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> arguments.check(selection, 1))
                    .withMessageStartingWith(kind.option() + " is not UTF-8: ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments.check(new Selection(List.of(), "caf\uFFFD", /* deletes= */ false), 1))
                .withMessageStartingWith("--files-from is not UTF-8: ");
    }
}
