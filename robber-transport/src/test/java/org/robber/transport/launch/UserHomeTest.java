package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class UserHomeTest {

    @Test
    void itIsWhatTheEnvironmentSays() {
        assertThat(UserHome.path(Map.of("HOME", "/work/me"), "/home/me")).isEqualTo("/work/me");
    }

    @Test
    void withoutThatItIsInTheListOfUsers() {
        assertThat(UserHome.path(Map.of(), "/home/me")).isEqualTo("/home/me");
        assertThat(UserHome.path(Map.of("HOME", "me"), "/home/me")).isEqualTo("/home/me");
    }

    @Test
    void aUserWithoutANameHasNoHomeInTheCurrentFolder() {
        assertThat(UserHome.path(Map.of("HOME", "/work"), "?")).isEqualTo("/work");
        assertThat(UserHome.path(Map.of(), "?")).isEqualTo("/");
    }
}
