package org.robber.cli.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sources are on another host. */
class RemoteSourcesTest {

    @ParameterizedTest
    @ValueSource(strings = {"data", "/data", "./a:b", "/a:b", "dir/a:b", "-", "C", ":x"})
    void namesOfThisMachine(String source) {
        assertThat(RemoteSources.of(List.of(source))).isEmpty();
    }

    @Test
    void aHostBeforeAColon() {
        assertRemote("node1:/data/", "node1", "/data/");
        assertRemote("me@node1.example:data", "me@node1.example", "data");
        assertRemote("node1:a:b", "node1", "a:b");
        assertRemote("[2001:db8::7]:/data", "2001:db8::7", "/data");
        assertRemote("me@[2001:db8::7]:x", "me@2001:db8::7", "x");
        RemoteSources two = RemoteSources.of(List.of("n:/a", "n:/b/")).orElseThrow();
        assertThat(two.paths()).containsExactly("/a", "/b/");
    }

    @Test
    void severalHostsOrNoPathAreRefused() {
        assertThatThrownBy(() -> RemoteSources.of(List.of("n:/a", "m:/a"))).hasMessageContaining("on one host");
        assertThatThrownBy(() -> RemoteSources.of(List.of("n:/a", "/a"))).hasMessageContaining("on one host");
        assertThatThrownBy(() -> RemoteSources.of(List.of("n:"))).hasMessageContaining("names no file");
        assertThatThrownBy(() -> RemoteSources.of(List.of("n:-"))).hasMessageContaining("names no file");
        assertThatThrownBy(() -> RemoteSources.of(List.of("-oProxyCommand=x:/a")))
                .hasMessageContaining("no name of a host");
    }

    private static void assertRemote(String source, String address, String path) {
        RemoteSources remote = RemoteSources.of(List.of(source)).orElseThrow();
        assertThat(remote.host().address()).isEqualTo(address);
        assertThat(remote.paths()).containsExactly(path);
    }
}
