package org.robber.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;
import org.robber.cli.request.LossPolicy.OnFailure;

class LossPolicyTest {

    @ParameterizedTest
    @CsvSource({
        "1, 3, 2",
        "2, 3, 2",
        "3, 3, 3",
        "1%, 3, 2",
        "67%, 3, 3",
        "66%, 3, 2",
        "50%, 5, 3",
        "100%, 7, 7",
        "1, 1, 1"
    })
    void soManyNodesMustBeLeft(String text, int size, int fewest) {
        MinSuccess minSuccess = MinSuccess.parse(text);
        assertThat(new LossPolicy(OnFailure.CONTINUE, minSuccess).fewest(size)).isEqualTo(fewest);
        assertThat(minSuccess).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0%", "-1", "1.5", "101%", "10000000000", "%", "1 %", "all"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> MinSuccess.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void moreThanThereAreIsRefused() {
        LossPolicy three = new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("3"));
        assertThatCode(() -> three.check(3)).doesNotThrowAnyException();
        assertThatThrownBy(() -> three.check(2))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("the 2 nodes");
    }
}
