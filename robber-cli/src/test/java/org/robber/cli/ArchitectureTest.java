package org.robber.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the modules may know of each other. The rules stand here because this module sees all that ship. */
class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.robber");

    @Test
    void seesEveryModuleThatShips() {
        assertThat(PRODUCT.stream().map(type -> type.getPackageName()))
                .contains("org.robber", "org.robber.transport", "org.robber.emulation", "org.robber.cli");
    }

    @Test
    void coreKnowsNoOtherModule() {
        noClasses()
                .that()
                .resideInAPackage("org.robber.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.robber",
                        "org.robber.transport..",
                        "org.robber.emulation..",
                        "org.robber.cli..",
                        "org.slf4j..",
                        "io.netty..")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void emulationKnowsNoSockets() {
        noClasses()
                .that()
                .resideInAPackage("org.robber.emulation..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.robber", "org.robber.transport..", "org.robber.cli..", "io.netty..")
                .because("the simulator runs the machines of the core alone; the testbed starts processes")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void transportKnowsNoUsersOfIt() {
        noClasses()
                .that()
                .resideInAnyPackage("org.robber", "org.robber.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.robber.emulation..", "org.robber.cli..", "ch.qos.logback..")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("org.robber.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    @Test
    void manifestsAreDataWithoutInputAndOutput() {
        classes()
                .that()
                .resideInAPackage("org.robber.transport.manifest..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.robber.transport.manifest",
                        "org.robber.core.piece",
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio",
                        "java.nio.charset",
                        "java.util",
                        "com.google.common.base",
                        "com.google.errorprone.annotations..",
                        "org.jspecify.annotations")
                .because("storage and the data path read and write; a manifest only says what there is")
                .check(PRODUCT);
    }

    @Test
    void nettyStaysInTheTransport() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.robber.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("the public API and the command line work with any transport")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void publicApiUsesTypesOfTheJdk() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage("org.robber")
                .and()
                .arePublic()
                .should(haveNoLibraryTypesInTheirSignature())
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void packagesAreNamedAfterTheirSubject() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..manager..", "..helper..")
                .because("such a name says nothing of what is inside")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    private static ArchCondition<JavaMethod> haveNoLibraryTypesInTheirSignature() {
        return new ArchCondition<>("have only types of the JDK and of Robber in their signature") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
                        .map(JavaType::getAllInvolvedRawTypes)
                        .flatMap(types -> types.stream())
                        .map(type -> type.getBaseComponentType())
                        .filter(type -> !type.isPrimitive())
                        .filter(type -> !type.getPackageName().startsWith("java.")
                                && !type.getPackageName().startsWith("org.robber"))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " shows " + type.getName() + " to its callers")));
            }
        };
    }
}
