package org.robber.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SourceInfoTest {

    /** A name may end in a carriage return, as those of folders' icons on some systems do. */
    @Test
    void rulesComeBackAsTheyWere() {
        for (List<String> rules :
                List.of(List.<String>of(), List.of("- Icon\r", "+ a\rb", "- *.log"), List.of("- *.o", "+ a b"))) {
            SourceInfo info = new SourceInfo("key", 17, true, rules);
            assertThat(SourceInfo.fromBytes(info.toBytes())).isEqualTo(info);
        }
    }
}
