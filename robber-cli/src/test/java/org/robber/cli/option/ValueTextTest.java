package org.robber.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.launch.LocalShape;
import picocli.CommandLine.TypeConversionException;

/** Sizes, durations and shapes as people write them. */
class ValueTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "65536, 65536",
        "64K, 65536",
        "64k, 65536",
        "1M, 1048576",
        "4G, 4294967296",
        "2T, 2199023255552",
        "8388607T, 9223370937343148032"
    })
    void sizesArePowersOfTwo(String text, long bytes) {
        assertThat(SizeText.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5M", "1 M", "1MB", "1P", "0x10", "8388608T", "9999999999999999999"})
    void badSizesAreRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> SizeText.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageStartingWith("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "8bit, 1",
        "500Mbit, 62500000",
        "500mbit, 62500000",
        "1Gbit, 125000000",
        "9Tbit, 1125000000000",
        "100kbit, 12500",
        "60M, 62914560",
        "1, 1",
        "500K, 512000"
    })
    void ratesAreBitsOrBytesPerSecond(String text, long bytesPerSecond) {
        assertThat(RateText.parse(text)).isEqualTo(bytesPerSecond);
    }

    @ParameterizedTest
    @CsvSource({
        "0, less than a byte per second",
        "0Mbit, less than a byte per second",
        "7bit, less than a byte per second",
        "-5M, negative",
        "-1Gbit, negative",
        "999999999999999999Tbit, too large",
        "8388608T, too large",
        "'', not a rate",
        "Mbit, not a rate",
        "5Pbit, not a rate",
        "60MB/s, not a rate",
        "1.5Gbit, not a rate"
    })
    void badRatesAreRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> RateText.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageStartingWith("'" + text + "'")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "90s, 90000",
        "5m, 300000",
        "2h, 7200000",
        "500ms, 500",
        "1h30m, 5400000",
        "1D, 86400000",
        "1m1ms, 60001"
    })
    void durationsHaveUnits(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "90", "s", "0s", "-5s", "5 m", "5x", "1.5h", "5m3", "9999999999s", "99999999d"})
    void badDurationsAreRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("90s");
    }

    @Test
    void shapesNameTheirNodes() {
        LocalShape shape = new LocalShapeText().convert("2x4");

        assertThat(shape.nodes()).isEqualTo(8);
        assertThat(shape.nodeName(0)).isEqualTo("A-0");
        assertThat(shape.nodeName(3)).isEqualTo("A-3");
        assertThat(shape.nodeName(4)).isEqualTo("B-0");
        assertThat(shape.nodeName(7)).isEqualTo("B-3");
        assertThat(shape.clusterOf(7)).isEqualTo("B");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "x4", "2x", "0x4", "2x0", "27x1", "2x200", "-1x2", "2x4x8"})
    void badShapesAreRefused(String text) {
        assertThatThrownBy(() -> new LocalShapeText().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"ssh, 0", "serve, 7622", "serve:1, 1", "serve:65535, 65535"})
    void launchersHaveThePortOfTheirDaemons(String text, int port) {
        assertThat(new LauncherText().convert(text).port()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SSH", "rsh", "serve:", "serve:0", "serve:65536", "serve:x", "serve 1", ":7622"})
    void badLaunchersAreRefused(String text) {
        assertThatThrownBy(() -> new LauncherText().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "':7000', 0.0.0.0, 7000",
        "127.0.0.1, 127.0.0.1, 7622",
        "127.0.0.1:7000, 127.0.0.1, 7000",
        "'[::1]:7000', 0:0:0:0:0:0:0:1, 7000",
        "'::1', 0:0:0:0:0:0:0:1, 7622",
        "7000, 0.0.0.0, 7000"
    })
    void placesToListenAtHaveAnAddressAPortOrBoth(String text, String address, int port) {
        InetSocketAddress place = new ListenText().convert(text);
        assertThat(place.getAddress().getHostAddress()).isEqualTo(address);
        assertThat(place.getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":0",
                "0",
                "70000",
                "127.0.0.1:0",
                "127.0.0.1:x",
                "no-such-host.invalid",
                "[::1",
                "127.0.0.1:70000"
            })
    void badPlacesToListenAtAreRefused(String text) {
        assertThatThrownBy(() -> new ListenText().convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
