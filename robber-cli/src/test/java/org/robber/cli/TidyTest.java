package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Habits of the source tree that no compiler checks, over all modules. */
class TidyTest {

    private static final List<String> MODULES =
            List.of("robber-core", "robber-transport", "emulation", "robber-bench", "robber-cli");

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Test
    void everyPackageIsNullMarked() throws IOException {
        for (String module : MODULES) {
            for (Path folder : foldersWithSources(ROOT.resolve(module).resolve("src/main/java"))) {
                assertThat(folder.resolve("package-info.java"))
                        .as("every package says what it is for, and that null is the exception: %s", folder)
                        .content()
                        .contains("@NullMarked\npackage ")
                        .startsWith("/**");
            }
        }
    }

    @Test
    void noClassNameStandsTwiceInMainCode() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
                        .forEach(names::add);
            }
        }
        assertThat(names).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    }

    @Test
    void everyModuleIsLookedAt() throws IOException {
        for (String module : MODULES) {
            assertThat(ROOT.resolve(module).resolve("pom.xml")).exists();
        }
        assertThat(ROOT.resolve("pom.xml"))
                .content()
                .contains(MODULES.stream()
                        .map(module -> "<module>" + module + "</module>")
                        .toList());
    }

    /** Package managers would take a build of today for older than the release. */
    @Test
    void theVersionComesAfterTheLastRelease() throws IOException {
        Version next = Version.parse(first("<version>(\\d[^<]*)</version>", "pom.xml"));
        Version released = Version.parse(first("\n## \\[(\\d[^]]*)]", "CHANGELOG.md"));
        assertThat(next).isGreaterThan(released);
    }

    private static String first(String pattern, String file) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
        assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
        return matcher.group(1);
    }

    private static Set<Path> foldersWithSources(Path sources) throws IOException {
        if (!Files.exists(sources)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .collect(Collectors.toSet());
        }
    }
}
