package org.robber.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.google.common.collect.ImmutableList;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The order of the packages in the core. A package may use those of its own layer and of the layers below; the strategies
 * share a layer, but never each other.
 *
 * <p>The rules are plain test methods: as fields they would silently not run under JUnit 5 without ArchUnit's own engine.
 */
class CoreArchitectureTest {

    private static final String ROOT = "org.robber.core";

    private static final ImmutableList<String> STRATEGIES =
            ImmutableList.of("steal", "rivals.bittorrent", "rivals.tree");

    /** From low to high. */
    private static final ImmutableList<ImmutableList<String>> LAYERS = ImmutableList.of(
            ImmutableList.of("tuning"),
            ImmutableList.of("piece", "random"),
            ImmutableList.of("topology"),
            ImmutableList.of("protocol", "driver", "meeting", "reduce"),
            ImmutableList.of("wire", "trace"),
            ImmutableList.of("node"),
            ImmutableList.of("peer"),
            ImmutableList.of("transfer"),
            STRATEGIES,
            ImmutableList.of("join"),
            ImmutableList.of("strategy"),
            ImmutableList.of("collective"));

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void nothingDependsOnAHigherLayer() {
        for (int layer = 0; layer < LAYERS.size() - 1; layer++) {
            noClasses()
                    .that()
                    .resideInAnyPackage(patterns(LAYERS.get(layer)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(patterns(LAYERS.subList(layer + 1, LAYERS.size()).stream()
                            .flatMap(List::stream)
                            .toList()))
                    .allowEmptyShould(true)
                    .check(CORE);
        }
    }

    @Test
    void strategiesDoNotKnowEachOther() {
        for (String strategy : STRATEGIES) {
            noClasses()
                    .that()
                    .resideInAPackage(pattern(strategy))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(patterns(STRATEGIES.stream()
                            .filter(other -> !other.equals(strategy))
                            .toList()))
                    .because("strategies share code through the transfer package, by composition")
                    .allowEmptyShould(true)
                    .check(CORE);
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void everyPackageHasItsLayer() {
        classes()
                .that()
                .doNotHaveSimpleName("package-info")
                .should()
                .resideInAnyPackage(
                        patterns(LAYERS.stream().flatMap(List::stream).toList()))
                .because("a package outside the list would escape the other rules")
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void usesOnlyThePureParts() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "..",
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio",
                        "java.nio.charset",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "com.google.common.base",
                        "com.google.common.collect",
                        "com.google.common.graph",
                        "com.google.common.hash",
                        "com.google.common.math",
                        "com.google.common.primitives",
                        "com.google.errorprone.annotations..",
                        "org.jspecify.annotations")
                .because("the core is a set of state machines without I/O, threads and clocks")
                .allowEmptyShould(true)
                .check(CORE);
    }

    private static String pattern(String name) {
        return ROOT + "." + name + "..";
    }

    private static String[] patterns(List<String> names) {
        return names.stream().map(CoreArchitectureTest::pattern).toArray(String[]::new);
    }
}
