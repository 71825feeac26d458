package org.robber.emulation.json;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeTest {

    @Test
    void whatIsNotJsonIsNamedByLineAndColumn() {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> JsonTree.parse("bad.json", "{\n  \"root\" \"A/0\"}"))
                .withMessageStartingWith("bad.json: line 2, column 10: not JSON: Unexpected character ('\"'");
    }

    /** Depth of lists, length of a number and of a key: the parser names its settings and no place. */
    @ParameterizedTest
    @ValueSource(strings = {"[", "1", "a"})
    void whatExceedsALimitOfTheParserIsNamedWithoutThat(String character) {
        String many = character.repeat(60_000);
        String json = "a".equals(character) ? "{\"" + many + "\": 1}" : many;
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> JsonTree.parse("bad.json", json))
                .withMessageMatching("bad.json: line 1, column [0-9]+: not JSON: [A-Z][a-z A-Z]+ \\([0-9]+\\)"
                        + " exceeds the maximum allowed \\([0-9]+\\)");
    }
}
