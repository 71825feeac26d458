package org.robber.emulation.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTailTest {

    private final LineTail tail = new LineTail();
    private final List<String> heard = new ArrayList<>();

    @Test
    void everyLineIsHeardAndKept() throws IOException {
        tail.read(new StringReader("one\n\nthree, without an end"), heard::add);

        assertThat(heard).containsExactly("one", "", "three, without an end");
        assertThat(tail.text()).isEqualTo("one\n\nthree, without an end\n");
    }

    @Test
    void onlyTheEndIsKept() throws IOException {
        tail.read(new StringReader("first\n" + "a line of some length\n".repeat(10_000) + "last\n"), heard::add);

        assertThat(heard).hasSize(10_002);
        assertThat(tail.text()).hasSizeLessThan(70_000).doesNotContain("first").endsWith("length\nlast\n");
    }

    @Test
    void aLineWithoutEndIsCutOff() throws IOException {
        tail.read(new StringReader("x".repeat(1_000_000) + "\ny\n"), heard::add);

        assertThat(heard.get(0)).hasSize(4096);
        assertThat(tail.text()).hasSize(4096 + 1 + 2).endsWith("x\ny\n");
    }

    @Test
    void nothingIsNoLine() throws IOException {
        tail.read(new StringReader(""), heard::add);

        assertThat(tail.text()).isEmpty();
    }
}
