package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

class ExecCommandTest {

    private static final ImmutableMap<String, String> VALUES =
            ImmutableMap.of("rank", "3", "root-address", "10.1.0.1", "cluster", "it's $HOME");

    @Test
    void valuesTakeThePlaceOfTheirNames() {
        assertThat(expand("rsync {root-address}:/data /data-{rank}")).isEqualTo("rsync 10.1.0.1:/data /data-3");
    }

    @Test
    void whatTheShellWouldReadIsQuoted() {
        assertThat(expand("echo {cluster}")).isEqualTo("echo 'it'\\''s $HOME'");
    }

    @Test
    void otherBracesAreTheShells() {
        assertThat(expand("for i in {1..3}; do echo ${i} ${rank} {a,b} {unknown}; done"))
                .isEqualTo("for i in {1..3}; do echo ${i} ${rank} {a,b} {unknown}; done");
    }

    private static String expand(String text) {
        return new ExecCommand(text, ImmutableMap.of()).expand(VALUES);
    }
}
