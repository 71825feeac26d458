package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;

class JobUriTest {

    @Test
    void readsNameAndAddress() {
        assertThat(parse("robber://weights-7@node_1.example:7000"))
                .isEqualTo(new JobUri(new JobAddress("weights-7", "node_1.example", 7000), null));
    }

    @Test
    void readsClusterWithAndWithoutSlash() {
        JobUri expected = new JobUri(new JobAddress("j", "h", 1), "site B");
        assertThat(parse("robber://j@h:1?cluster=site%20B")).isEqualTo(expected);
        assertThat(parse("robber://j@h:1/?cluster=site+B")).isEqualTo(expected);
    }

    @Test
    void takesIpv6OutOfItsBrackets() {
        assertThat(parse("robber://j@[2001:db8::7]:7000").address())
                .isEqualTo(new JobAddress("j", "2001:db8::7", 7000));
        assertThat(parse("robber://j@[fe80::1%eth0]:7000").address().host()).isEqualTo("fe80::1%eth0");
        assertThatThrownBy(() -> parse("robber://j@2001:db8::7:7000")).hasMessageContaining("brackets");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "robber://j@h",
                "robber://j@h:",
                "robber://h:7000",
                "robber://@h:7000",
                "robber://j@:7000",
                "robber://j@h:0",
                "robber://j@h:65536",
                "robber://j@h:70x",
                "robber://j@h:7000/path",
                "http://j@h:7000",
                "j@h:7000",
                "h"
            })
    void refusesOthersAndShowsThem(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("ROBBER_URI=" + text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "robber://job:hunter2@h:7000",
                "robber://job:hunter2@h:7000?cluster=B",
                "robber://job:hun@hunter2/?#@h:7000",
                "job:hunter2@h:7000",
                "//job:hunter2@h",
                "robber://job@h:7000?secret=hunter2",
                "robber://job@h:7000?cluster=B&secret=hunter2",
                "robber://job@h?secret=hunter2",
            })
    void neverShowsWhatMayBeAPassword(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(RobberException.class)
                .hasMessageStartingWith("ROBBER_URI")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "?cluster", "?cluster=", "?cluster=%zz", "?clusters=B"})
    void refusesBadParameters(String query) {
        assertThatThrownBy(() -> parse("robber://j@h:1" + query)).isInstanceOf(RobberException.class);
    }

    private static JobUri parse(String text) {
        return JobUri.parse("ROBBER_URI", text);
    }
}
