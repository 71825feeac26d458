package org.robber.emulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The order of the packages in the emulation. A package may use those of the layers below its own; those of one layer do
 * not know each other, so simulator and testbed stay two backends.
 */
class EmulationArchitectureTest {

    private static final String ROOT = "org.robber.emulation";

    /** From low to high. */
    private static final ImmutableList<ImmutableList<String>> LAYERS = ImmutableList.of(
            ImmutableList.of("json"),
            ImmutableList.of("scenario"),
            ImmutableList.of("run", "bound"),
            ImmutableList.of("simulator", "testbed"),
            ImmutableList.of("experiment"),
            ImmutableList.of("report", "journal"),
            ImmutableList.of("runner"));

    /** Where the same arguments must give the same result. */
    private static final ImmutableList<String> REPEATABLE =
            ImmutableList.of("json", "scenario", "run", "bound", "simulator");

    private static final ImmutableSet<String> UNORDERED = ImmutableSet.of(
            "java.util.Set.of",
            "java.util.Set.copyOf",
            "java.util.Map.of",
            "java.util.Map.ofEntries",
            "java.util.Map.copyOf",
            "java.lang.System.identityHashCode");

    private static final JavaClasses EMULATION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void nothingDependsOnAHigherLayerOrItsOwn() {
        for (int layer = 0; layer < LAYERS.size(); layer++) {
            for (String name : LAYERS.get(layer)) {
                List<String> others = LAYERS.subList(layer, LAYERS.size()).stream()
                        .flatMap(List::stream)
                        .filter(other -> !other.equals(name))
                        .toList();
                noClasses()
                        .that()
                        .resideInAPackage(pattern(name))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(patterns(others))
                        .allowEmptyShould(true)
                        .check(EMULATION);
            }
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(EMULATION);
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
                .check(EMULATION);
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = EMULATION.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(type -> !type.isAnnotatedWith(NullMarked.class))
                .map(type -> type.getName())
                .collect(Collectors.toList());
        assertThat(unmarked).isEmpty();
    }

    @Test
    void whatMustBeRepeatableHasNoClockSocketOrThread() {
        noClasses()
                .that()
                .resideInAnyPackage(patterns(REPEATABLE))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.time..", "com.sun.jna..")
                .orShould()
                .dependOnClassesThat(isForThreads())
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Thread.class,
                        Timer.class,
                        Process.class,
                        ProcessBuilder.class,
                        Random.class,
                        SplittableRandom.class,
                        UUID.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethodWhere(hidesItsOrder())
                .because("the same scenario and seed must give the same result on every machine")
                .check(EMULATION);
    }

    private static DescribedPredicate<JavaClass> isForThreads() {
        return DescribedPredicate.describe(
                "are for threads",
                type -> type.getPackageName().startsWith("java.util.concurrent")
                        && !type.isEquivalentTo(TimeUnit.class));
    }

    /** The order of identity hashes and of the JDK's immutable sets differs from run to run. */
    private static DescribedPredicate<JavaAccess<?>> hidesItsOrder() {
        return DescribedPredicate.describe(
                "the call is to something of another order in each run",
                call -> UNORDERED.contains(call.getTargetOwner().getFullName() + "."
                        + call.getTarget().getName()));
    }

    private static String pattern(String name) {
        return ROOT + "." + name + "..";
    }

    private static String[] patterns(List<String> names) {
        return names.stream().map(EmulationArchitectureTest::pattern).toArray(String[]::new);
    }
}
