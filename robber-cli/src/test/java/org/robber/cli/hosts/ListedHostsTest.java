package org.robber.cli.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListedHostsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "node1 > null:node1",
                "A:node[01-03,20] > A:node01 A:node02 A:node03 A:node20",
                "A:node[1-2],B:gpu[009-010]-ib > A:node1 A:node2 B:gpu009-ib B:gpu010-ib",
                "A:one,two,B:three > A:one A:two B:three",
                "one,A:two > null:one A:two",
                "A:[2001:db8::7],[::1],B:admin@[fe80::1:2] > A:2001:db8::7 A:::1 B:admin@fe80::1:2",
                "A:r[1-2]n[0-1],10.0.0.7 > A:r1n0 A:r1n1 A:r2n0 A:r2n1 A:10.0.0.7",
                "paris-1:admin@node[1-2], root@node3 > paris-1:admin@node1 paris-1:admin@node2 paris-1:root@node3",
                "node[2:1-2] > null:node01 null:node02"
            })
    void namesClustersAndUsersAreRead(String list, String hosts) {
        assertThat(text(ListedHosts.parse(list))).isEqualTo(hosts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "A: > 'A:' lacks the name of a host; write A:node[01-16]",
                ":node > '' before the colon is no name of a cluster",
                "a b:node > 'a b' before the colon",
                "A:node, > 'A:node,' lacks the name of a host",
                "node[2-1] > not a list of hosts: node[2-1]; write A:node[01-16]",
                "node[1-2 > not a list of hosts",
                "-oProxyCommand=x > '-oProxyCommand=x' is no name of a host",
                "@node > '@node' is no name",
                "-l@node > '-l@node' is no name",
                "a@b@c > 'a@b@c' is no name",
                "../etc > '../etc' is no name",
                "node slots=4 > 'node slots=4' is no name",
                "::1 > '' before the colon is no name of a cluster; IPv6 addresses stand in brackets: A:[2001:db8::7]",
                "A:2001:db8::7 > '2001:db8::7' is no name of a host; IPv6 addresses stand in brackets",
                "2001:db8::7 > 'db8::7' is no name of a host; IPv6 addresses stand in brackets",
                "[2001:db8::g] > not a list of hosts",
                "[::1]x > not a list of hosts",
                "node[1-3],node2 > node2 is listed twice",
                "node[1-2000] > more than 1024",
                "a[1-1000],b[1-1000] > more than 1024 hosts"
            })
    void otherTextIsRefused(String list, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListedHosts.parse(list))
                .withMessageContaining(message);
    }

    @Test
    void theNameOfAHostHasNoUser() {
        assertThat(ListedHosts.parse("admin@node7").get(0).name()).isEqualTo("node7");
        assertThat(ListedHosts.parse("node7").get(0).name()).isEqualTo("node7");
    }

    @Test
    void filesHaveAListALine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("hosts"), "# all of them\n\nA:node[1-2] # rack 7\r\nB:gpu1,gpu2\n  other\n");

        assertThat(text(ListedHosts.read(file))).isEqualTo("A:node1 A:node2 B:gpu1 B:gpu2 null:other");
    }

    @Test
    void errorsInFilesNameTheLine(@TempDir Path folder) throws IOException {
        Path twice = Files.writeString(folder.resolve("twice"), "node[1-2]\nnode2\n");
        Path none = Files.writeString(folder.resolve("none"), "# nobody\n");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 'a'});

        assertRefused(twice, "twice, line 2: node2 is listed twice");
        assertRefused(none, "none: no hosts");
        assertRefused(binary, "binary: not a text");
        assertRefused(folder.resolve("missing"), "missing: no such file");
    }

    private static void assertRefused(Path file, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListedHosts.read(file))
                .withMessageContaining(message);
    }

    private static String text(List<ListedHost> hosts) {
        return hosts.stream().map(host -> host.cluster() + ":" + host.address()).collect(Collectors.joining(" "));
    }
}
