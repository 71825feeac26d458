package org.robber.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyStateTest {

    /** Each of them names a path. */
    @Test
    void problemsOfLongPathsComeToRankZero() {
        List<String> problems = new ArrayList<>(Collections.nCopies(20, "name/".repeat(800)));
        problems.add("two\nlines");
        CopyState state = new CopyState("manifest", "data", 1, 2, "xxh3-128", 3, false, 4, problems);
        assertThat(CopyState.fromBytes(state.toBytes())).isEqualTo(state);
    }
}
