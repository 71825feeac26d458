package org.robber.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;

class SecretFileTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"hunter2", "hunter2\n", "hunter2\r\n"})
    void readsTheSecretWithoutItsNewline(String content) throws IOException {
        assertThat(SecretFile.read(file(content, "rw-------")))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("hunter2");
    }

    @Test
    void keepsEverythingElse() throws IOException {
        assertThat(SecretFile.read(file(" a\nb \n\n", "r--------")))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo(" a\nb \n");
    }

    @Test
    void followsALink() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file("hunter2", "r--------"));
        assertThat(SecretFile.read(link)).asString(StandardCharsets.US_ASCII).isEqualTo("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw-r--r--"})
    void refusesWhatOthersCanReadOrChange(String permissions) throws IOException {
        assertRefused(file("hunter2", permissions), "chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void refusesAnEmptySecret(String content) throws IOException {
        assertRefused(file(content, "rw-------"), "empty");
    }

    @Test
    void refusesWhatIsNoFile() {
        assertRefused(folder, "not a regular file");
        assertRefused(folder.resolve("missing"), "no such file");
    }

    /** Not to root, who may read everything. */
    @Test
    void refusesWhatThisUserMayNotRead() throws IOException {
        Path file = file("hunter2", "---------");
        assumeThat(Files.isReadable(file)).isFalse();
        assertRefused(file, "permission denied");
    }

    @Test
    void refusesWhatIsTooLargeForASecret() throws IOException {
        assertThat(SecretFile.read(file("x".repeat(1 << 16), "rw-------"))).hasSize(1 << 16);
        assertRefused(file("x".repeat((1 << 16) + 1), "rw-------"), "larger than 65536 bytes");
    }

    private static void assertRefused(Path file, String why) {
        assertThatThrownBy(() -> SecretFile.read(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RobberException.Reason.USAGE);
                    assertThat(e.getMessage()).doesNotContain("hunter2");
                });
    }

    private Path file(String content, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
