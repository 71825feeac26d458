package org.robber.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.transport.manifest.Manifest;

/** What of a source is copied under filters. */
class SelectionTest {

    @TempDir
    Path folder;

    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        source = folder.resolve("tree");
        for (String file : List.of("x.txt", "y.tmp", "a/k.o", "a/b/z.txt", "a/b/q.tmp", "c.tmp/in", "d/e")) {
            Files.createDirectories(source.resolve(file).getParent());
            Files.writeString(source.resolve(file), file);
        }
    }

    @Test
    void nothingBelowWhatIsLeftOutIsCopied() {
        assertThat(copied("", exclude("*.tmp"), exclude("a/*.o")))
                .containsExactly("tree", "tree/a", "tree/a/b", "tree/a/b/z.txt", "tree/d", "tree/d/e", "tree/x.txt");
        assertThat(copied("/", include("*/"), include("*.txt"), exclude("*")))
                .containsExactly("", "a", "a/b", "a/b/z.txt", "c.tmp", "d", "x.txt");
    }

    /** The top of what is copied is the parent of SRC, or SRC itself with a slash at its end. */
    @Test
    void patternsAreTiedToTheTop() {
        assertThat(copied("", exclude("/a"))).contains("tree/a/k.o");
        assertThat(copied("", exclude("/tree/a"))).contains("tree/x.txt").doesNotContain("tree/a");
        assertThat(copied("/", exclude("/a"))).contains("x.txt").doesNotContain("a");
    }

    @Test
    void filesGiveRulesAndPaths() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules"), "# comment\n\n; another\n+ q.tmp\n*.tmp\n- *.o\n");
        assertThat(copied("/", new RuleText(Kind.EXCLUDE_FROM, rules.toString())))
                .containsExactly("", "a", "a/b", "a/b/q.tmp", "a/b/z.txt", "d", "d/e", "x.txt");
        Path list = Files.writeString(folder.resolve("list"), "a/b\n/x.txt\nno/such\n");
        Root root =
                Root.scan(List.of(source + "/"), new Selection(List.of(exclude("*.tmp")), list.toString(), false), "");
        assertThat(paths(root)).containsExactly("", "a", "a/b", "a/b/z.txt", "x.txt");
        assertThat(root.skipped())
                .containsExactly(new Skipped("no/such", "listed by --files-from, but not in the source"));
    }

    @Test
    void filtersThatLeaveNothingAreAnError() throws IOException {
        Path list = Files.writeString(folder.resolve("list"), "no/such\n");
        failsFor(Reason.SOURCE, "leave out the source", "", exclude("*"));
        failsFor(Reason.SOURCE, "no file of", "/", include("*/"), exclude("*"));
        assertThatThrownBy(() -> Root.scan(List.of(source + "/"), new Selection(List.of(), list.toString(), false), ""))
                .hasMessageContaining("no/such does not exist");
    }

    @Test
    void filtersThatCannotBeReadAreWrongUsage() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules"), "a[b\n");
        failsFor(Reason.USAGE, "a [ has no ]", "", exclude("[a"));
        failsFor(Reason.USAGE, "rules: 'a[b': a [ has no ]", "", new RuleText(Kind.EXCLUDE_FROM, rules.toString()));
        failsFor(Reason.USAGE, "there is no such file", "", new RuleText(Kind.EXCLUDE_FROM, "/no/such/file"));
        Path list = Files.writeString(folder.resolve("list"), "../other\n");
        assertThatThrownBy(() -> Root.scan(List.of(source + "/"), new Selection(List.of(), list.toString(), false), ""))
                .hasMessageContaining("leads out of the source");
    }

    private void failsFor(Reason reason, String message, String end, RuleText... rules) {
        assertThatThrownBy(() -> copied(end, rules))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }

    private List<String> copied(String end, RuleText... rules) {
        return paths(Root.scan(List.of(source + end), new Selection(List.of(rules), "", false), ""));
    }

    private static List<String> paths(Root root) {
        Manifest manifest = root.manifest();
        List<String> paths = new ArrayList<>();
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            paths.add(entry == 0 && manifest.isRooted() ? "" : manifest.pathText(entry));
        }
        return paths;
    }

    private static RuleText include(String pattern) {
        return new RuleText(Kind.INCLUDE, pattern);
    }

    private static RuleText exclude(String pattern) {
        return new RuleText(Kind.EXCLUDE, pattern);
    }
}
