package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineBufferTest {

    @Test
    void givesLinesWhenTheyEnd() {
        assertThat(lines(100, "one\n\ntwo\nthr")).containsExactly("one", "", "two");
    }

    @Test
    void keepsTheBeginningOfALongLine() {
        assertThat(lines(3, "123456789\nab\n")).containsExactly("123", "ab");
    }

    private static List<String> lines(int maxBytes, String text) {
        LineBuffer buffer = new LineBuffer(maxBytes);
        List<String> lines = new ArrayList<>();
        for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
            if (buffer.add(value)) {
                lines.add(buffer.line());
            }
        }
        return lines;
    }
}
