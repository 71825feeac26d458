package org.robber.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.protocol.Message.Begin;

/** What nodes compare to see that they make the same call. */
class BeginTest {
    private static final Begin BEGIN = new Begin(1, 2, 3, 4, "robber", "xxh3-128");

    @Test
    void theSameCallIsEqual() {
        Begin same = new Begin(1, 2, 3, 4, "robber", "xxh3-128");

        assertThat(same).isEqualTo(BEGIN).hasSameHashCodeAs(BEGIN);
    }

    @Test
    void aCallThatDiffersInAnythingIsNot() {
        List<Begin> others = List.of(
                new Begin(9, 2, 3, 4, "robber", "xxh3-128"),
                new Begin(1, 9, 3, 4, "robber", "xxh3-128"),
                new Begin(1, 2, 9, 4, "robber", "xxh3-128"),
                new Begin(1, 2, 3, 9, "robber", "xxh3-128"),
                new Begin(1, 2, 3, 4, "mob", "xxh3-128"),
                new Begin(1, 2, 3, 4, "robber", "sha256"));

        assertThat(others).hasSize(Begin.class.getRecordComponents().length).doesNotContain(BEGIN);
        assertThat(BEGIN).isNotEqualTo("begin");
    }
}
