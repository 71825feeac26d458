package org.robber.emulation.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLineTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\":1,\"type\":\"started\"}",
                "{\"schema\": 1, \"type\": \"started\"}",
                "  { \"type\" : \"started\" , \"bytes_total\" : 5 }\r",
                "[1,0]<stdout>: {\"schema\": 1, \"type\": \"started\"}"
            })
    void theStartIsKnownHoweverItIsWritten(String line) {
        assertThat(StartSignal.event().isIn(line)).isTrue();
        assertThat(StartSignal.eventOrData().isIn(line)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "started",
                "\"type\":\"started\"",
                "{\"type\":\"started\"",
                "}{",
                "{\"schema\":2,\"type\":\"started\"}",
                "{\"schema\":1,\"type\":\"done\",\"what\":\"started\"}",
                "{\"schema\":1,\"type\":1}",
                "{\"schema\":\"1\",\"type\":\"started\"}",
                "{\"event\":{\"type\":\"started\"}}"
            })
    void nothingElseIsAStart(String line) {
        assertThat(StartSignal.event().isIn(line)).isFalse();
    }

    @Test
    void fieldsAreThoseOfTheObject() {
        EventLine event = EventLine.parse("{\"type\": \"done\", \"rank\": 3}").orElseThrow();

        assertThat(event.type()).isEqualTo(EventLine.DONE);
        assertThat(event.fields().field("rank").whole("a rank")).isEqualTo(3);
        assertThat(event.fields().field("seconds").isAbsent()).isTrue();
    }
}
