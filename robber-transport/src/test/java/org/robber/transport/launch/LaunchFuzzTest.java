package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Fuzz targets for what launchers and people write into the environment. An ordinary build replays the inputs kept among the
 * test resources; with {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class LaunchFuzzTest {

    @FuzzTest(maxDuration = "1m")
    void jobUri(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            JobUri uri = JobUri.parse("ROBBER_URI", text);
            assertThat(uri.address().port()).isBetween(1, 0xFFFF);
            assertThat(uri.address().host()).isNotEmpty();
            assertThat(uri.address().job()).isNotEmpty();
        } catch (RobberException refused) {
            assertThat(refused.reason()).isEqualTo(Reason.USAGE);
        }
    }

    @FuzzTest(maxDuration = "1m")
    void hostList(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            List<String> hosts = HostList.expand(text);
            assertThat(hosts).isNotEmpty().doesNotContain("");
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("not a list of hosts");
        }
    }
}
