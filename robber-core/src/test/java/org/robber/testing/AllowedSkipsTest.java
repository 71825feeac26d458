package org.robber.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class AllowedSkipsTest {

    private static final AllowedSkips LIST = new AllowedSkips(List.of(
            "# a comment",
            "",
            "need root    test id",
            "need disk    mount it",
            "skip ADiskTest        root",
            "skip ADiskTest.fails  disk"));

    private final TestAbortedException skipped = new TestAbortedException("no disk");

    @Test
    void aSkipIsAllowedWhereANeedIsNotMet() {
        assertThat(LIST.objection("ADiskTest", "fills", command -> false)).isEmpty();
        assertThat(LIST.objection("ADiskTest", "fails", command -> !command.equals("mount it")))
                .isEmpty();
    }

    @Test
    void aSkipIsRefusedWhereAllNeedsAreMet() {
        assertThat(LIST.objection("ADiskTest", "fails", command -> true)).contains("meets all its needs: root, disk");
        assertThat(LIST.objection("ADiskTest", "fills", command -> !command.equals("mount it")))
                .contains("root");
    }

    @Test
    void aTestThatIsNotOnTheListMustRun() {
        assertThat(LIST.objection("AnotherTest", "runs", command -> false)).contains("does not name it");
    }

    @Test
    void aSkipThatIsNotAllowedFailsItsTest() {
        assertThat(UnlistedSkipFails.judge(LIST, "AnotherTest", "runs", skipped, command -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("AnotherTest.runs was skipped (no disk)")
                .hasCause(skipped);
        assertThat(UnlistedSkipFails.judge(LIST, "ADiskTest", "fills", skipped, command -> false))
                .isSameAs(skipped);
        AssertionError failure = new AssertionError("wrong");
        assertThat(UnlistedSkipFails.judge(LIST, "AnotherTest", "runs", failure, command -> false))
                .isSameAs(failure);
    }

    @Test
    void linesWithoutAMeaningAreRefused() {
        assertThatThrownBy(() -> new AllowedSkips(List.of("skip ATest"))).hasMessageContaining("skip ATest");
        assertThatThrownBy(() -> new AllowedSkips(List.of("skip ATest moon"))).hasMessageContaining("moon");
    }

    @Test
    void probesAskTheShell() {
        assertThat(AllowedSkips.succeedsHere("exit 0")).isTrue();
        assertThat(AllowedSkips.succeedsHere("exit 3")).isFalse();
    }

    @Test
    void everyTestOfTheListExists() throws IOException {
        List<Path> sources = testSources();
        for (String test : AllowedSkips.ofProject().tests()) {
            int dot = test.indexOf('.');
            String className = dot < 0 ? test : test.substring(0, dot);
            String declaration = dot < 0 ? "class " + className : "void " + test.substring(dot + 1) + "(";
            boolean exists = false;
            for (Path source : sources) {
                exists |= source.endsWith(className + ".java")
                        && Files.readString(source).contains(declaration);
            }
            assertThat(exists).as("%s of allowed-skips.txt exists", test).isTrue();
        }
    }

    /** A disabled test is skipped by an annotation, which no list sees. */
    @Test
    void noTestIsDisabled() throws IOException {
        List<Path> sources = testSources();
        assertThat(sources).hasSizeGreaterThan(100);
        for (Path source : sources) {
            if (!source.endsWith("AllowedSkipsTest.java")) {
                assertThat(Files.readString(source)).as(source.toString()).doesNotContain("@Disabled", "@EnabledIf");
            }
        }
    }

    /** The sources of the tests of all modules. */
    private static List<Path> testSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (DirectoryStream<Path> modules =
                Files.newDirectoryStream(Path.of("..").toRealPath())) {
            for (Path module : modules) {
                Path tests = module.resolve("src/test/java");
                if (Files.isDirectory(tests)) {
                    try (Stream<Path> files = Files.walk(tests)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }
}
