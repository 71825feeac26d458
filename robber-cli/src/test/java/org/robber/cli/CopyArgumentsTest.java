package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.cli.filter.Selection;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.ListedHosts;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.replicate.ReportTerms;
import org.robber.cli.report.OutputFormat;

class CopyArgumentsTest {
    private static final List<ListedHost> HOSTS = ListedHosts.parse("A:node[1-2],B:admin@gpu1");
    private static final ReportTerms REPORT = new ReportTerms(OutputFormat.TEXT, null, null, List.of());

    private static RemoteSources remote(int root, String... places) {
        CopyArguments arguments = CopyArguments.of(List.of(places));
        return CopyArguments.remote(arguments.source(Selection.all(), root), REPORT, HOSTS)
                .orElse(null);
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
                .withMessage("--root=4: there is no such node, hosts have the ranks 1 to 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remote(1, "node2:tree", "/scratch/"))
                .withMessage("SRC names its host, node2: leave out --root");
    }
}
