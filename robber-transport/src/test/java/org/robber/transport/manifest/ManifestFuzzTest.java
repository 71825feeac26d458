package org.robber.transport.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Fuzz target for manifests. An ordinary build replays the inputs kept among the test resources; with {@code JAZZER_FUZZ=1}
 * in the environment, Jazzer looks for new ones.
 */
class ManifestFuzzTest {

    @FuzzTest(maxDuration = "1m")
    void decode(byte[] bytes) {
        Manifest manifest;
        try {
            manifest = ManifestCodec.decode(bytes);
        } catch (ManifestException refused) {
            return;
        }
        assertThat(ManifestCodec.encode(manifest)).isEqualTo(bytes);
        for (int i = 0; i < manifest.entryCount(); i++) {
            assertThat(manifest.path(i).length).isLessThanOrEqualTo(Manifest.MAX_PATH_BYTES);
            assertThat(("/" + manifest.pathText(i) + "/"))
                    .doesNotContain("/../")
                    .doesNotContain("//");
        }
    }
}
