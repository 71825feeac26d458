package org.robber.cli.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Fuzz target for lists of hosts. An ordinary build replays the inputs kept among the test resources; with {@code JAZZER_FUZZ=1} in the
 * environment, Jazzer looks for new ones.
 */
class HostsFuzzTest {

    @FuzzTest(maxDuration = "1m")
    void list(byte[] bytes) {
        try {
            List<ListedHost> hosts = ListedHosts.parse(new String(bytes, StandardCharsets.UTF_8));
            assertThat(hosts).hasSizeBetween(1, ListedHosts.MOST);
            Set<String> addresses = new HashSet<>();
            for (ListedHost host : hosts) {
                assertThat(host.address()).doesNotStartWith("-").doesNotContainAnyWhitespaces();
                assertThat(host.name()).doesNotContain("/", "@").isNotEqualTo("..");
                assertThat(addresses.add(host.address())).isTrue();
            }
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }
}
