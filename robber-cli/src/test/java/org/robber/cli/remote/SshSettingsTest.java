package org.robber.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.hosts.ListedHost;

class SshSettingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '#',
            value = {
                "ssh > ssh",
                "  ssh -p  2222 > ssh|-p|2222",
                "ssh -i 'my key' > ssh|-i|my key",
                "ssh -o \"User=a b\" -v > ssh|-o|User=a b|-v",
                "ssh -oProxyCommand='nc a b'x > ssh|-oProxyCommand=nc a bx",
                "ssh 'a\"b' $1\\2 > ssh|a\"b|$1\\2"
            })
    void commandsAreWords(String text, String words) {
        assertThat(String.join("|", SshSettings.words(text))).isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "ssh 'a", "ssh \"a' b"})
    void otherTextIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SshSettings.words(text))
                .withMessageContaining("is no command");
    }

    @Test
    void optionsOfTheUserComeFirst() {
        SshSettings ssh = new SshSettings(List.of("ssh", "-oConnectTimeout=99"), 4, "");
        ListedHost host = new ListedHost("admin@node7", "A");

        assertThat(ssh.toRun(host, "true", Duration.ofSeconds(60)))
                .startsWith("ssh", "-oConnectTimeout=99", "-T")
                .contains("BatchMode=yes", "ConnectTimeout=10")
                .endsWith("admin@node7", "true");
        assertThat(ssh.toRun(host, "true", Duration.ofMillis(1500))).contains("ConnectTimeout=1");
    }
}
