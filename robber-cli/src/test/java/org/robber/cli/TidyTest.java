package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
