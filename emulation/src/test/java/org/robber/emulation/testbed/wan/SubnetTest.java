package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubnetTest {

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.0/16", "0.0.0.0/0", "255.255.255.255/32", "192.168.1.128/25"})
    void isWrittenAsItWasRead(String text) {
        assertThat(Subnet.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.1.0.0",
                "10.1.0/16",
                "10.1.0.0/33",
                "10.1.0.0/",
                "256.1.0.0/16",
                "10.1.0.1/16",
                "10.1.0.0/16 ",
                "a.b.c.d/8",
                "1000.1.0.0/16"
            })
    void refusesOtherThings(String text) {
        assertThatThrownBy(() -> Subnet.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void containsItsAddressesAndNoOthers() {
        Subnet subnet = Subnet.parse("10.1.0.0/16");
        assertThat(subnet.contains(0x0a010000)).isTrue();
        assertThat(subnet.contains(0x0a01ffff)).isTrue();
        assertThat(subnet.contains(0x0a020000)).isFalse();
        assertThat(subnet.contains(0x0a00ffff)).isFalse();
        assertThat(Subnet.parse("0.0.0.0/0").contains(-1)).isTrue();
    }

    @Test
    void overlapsWhatIsInsideIt() {
        Subnet subnet = Subnet.parse("10.1.0.0/16");
        assertThat(subnet.overlaps(Subnet.parse("10.1.2.0/24"))).isTrue();
        assertThat(subnet.overlaps(Subnet.parse("10.0.0.0/8"))).isTrue();
        assertThat(subnet.overlaps(Subnet.parse("10.2.0.0/16"))).isFalse();
    }
}
