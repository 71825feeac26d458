package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WanPortTest {

    @Test
    void isReadAsItWasWritten() {
        WanPort port = new WanPort("wan-0_A", Subnet.parse("10.1.0.0/16"));
        assertThat(WanPort.parse(port.toString())).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wan0",
                "wan0=",
                "=10.1.0.0/16",
                "sixteen_letters_=10.1.0.0/16",
                "a b=10.1.0.0/16",
                "a/b=10.1.0.0/16",
                "%d=10.1.0.0/16"
            })
    void refusesOtherThings(String text) {
        assertThatThrownBy(() -> WanPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
