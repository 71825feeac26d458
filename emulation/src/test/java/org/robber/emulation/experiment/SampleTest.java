package org.robber.emulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleTest {

    @Test
    void meanAndConfidenceAreThoseOfTheTextbook() {
        // mean 5, standard deviation sqrt(2.5), t(4) = 2.776: 2.776 * 1.5811 / sqrt(5)
        Sample sample = Sample.of(List.of(3.0, 4.0, 5.0, 6.0, 7.0));

        assertThat(sample.count()).isEqualTo(5);
        assertThat(sample.mean()).isEqualTo(5);
        assertThat(sample.halfWidth95()).isCloseTo(1.96324, within(1e-4));
        assertThat(sample.smallest()).isEqualTo(3);
        assertThat(sample.largest()).isEqualTo(7);
    }

    @Test
    void oneValueHasNoInterval() {
        Sample sample = Sample.of(List.of(0.97));

        assertThat(sample.mean()).isEqualTo(0.97);
        assertThat(sample.halfWidth95()).isNaN();
    }

    @Test
    void whatCouldNotBeMeasuredDoesNotCount() {
        assertThat(Sample.of(List.of(Double.NaN, 2.0, Double.NaN))).isEqualTo(Sample.of(List.of(2.0)));
        assertThat(Sample.of(List.of()).mean()).isNaN();
        assertThat(Sample.of(List.of(Double.NaN)).count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 12.7062",
        "4, 2.7764",
        "10, 2.2281",
        "11, 2.2010",
        "20, 2.0860",
        "30, 2.0423",
        "100, 1.9840",
        "100000, 1.9600"
    })
    void quantilesAreThoseOfTheTable(int freedom, double quantile) {
        assertThat(Sample.t975(freedom)).isCloseTo(quantile, within(2e-4));
    }
}
