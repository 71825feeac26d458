package org.robber.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToldLinesTest {

    @Test
    void theFirstLineIsCutAndLaterOnesAreCounted() {
        assertThat(ToldLines.fitting(List.of("disk is full"), 5)).isEqualTo("disk\n");
        assertThat(ToldLines.fitting(List.of("\u00fc\u00fc"), 4)).isEqualTo("\u00fc\n");
        assertThat(ToldLines.fitting(List.of("\ud83d\ude00a"), 4)).isEqualTo("\n");
        assertThat(ToldLines.fitting(List.of("a", "b", "c", "d"), 5)).isEqualTo("a\nb\nand 2 more\n");
        assertThat(ToldLines.fitting(List.of("a", "b"), 4)).isEqualTo("a\nb\n");
        assertThat(ToldLines.fitting(List.of(), 4)).isEmpty();
    }
}
