package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void writesNestedValues() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("n", 1.5);
        map.put("list", List.of(1, true));
        assertThat(JsonText.of(map)).isEqualTo("""
                        {
                          "n": 1.5,
                          "list": [
                            1,
                            true
                          ]
                        }""");
    }

    @Test
    void escapesWhatJsonDoesNotTake() {
        assertThat(JsonText.of("a\"b\\c\n")).isEqualTo("\"a\\\"b\\\\c\\u000a\"");
    }

    @Test
    void writesNoNumberThatJsonDoesNotKnow() {
        assertThat(JsonText.of(List.of(Double.NaN, Double.POSITIVE_INFINITY))).isEqualTo("[\n  null,\n  null\n]");
    }
}
