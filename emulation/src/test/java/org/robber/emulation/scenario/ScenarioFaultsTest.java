package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault is one change to a good file; the message names the place and what was expected there. */
class ScenarioFaultsTest {

    @Test
    void theGoodFileIsGood() {
        assertThat(ScenarioReader.parse("good.json", Faults.GOOD).phases()).hasSize(3);
    }

    static Stream<Faults.Fault> faults() {
        return Faults.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void namesPlaceAndExpectation(Faults.Fault fault) {
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> ScenarioReader.parse("bad.json", fault.json()))
                .withMessageStartingWith("bad.json: " + fault.path())
                .withMessageContaining(fault.expectation());
    }
}
