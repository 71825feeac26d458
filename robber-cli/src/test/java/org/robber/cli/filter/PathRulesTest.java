package org.robber.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of paths mean what they mean to rsync. */
class PathRulesTest {

    /** A path that ends with a slash is a directory. */
    @ParameterizedTest
    @CsvSource({
        // the last name alone
        "*.o, a.o, true",
        "*.o, dir/a.o, true",
        "*.o, dir.o/, true",
        "*.o, a.obj, false",
        "foo, foo, true",
        "foo, a/foo, true",
        "foo, foo/a, false",
        "foo, xfoo, false",
        "?oo, foo, true",
        "?oo, oo, false",
        // tied to the top
        "/foo, foo, true",
        "/foo, a/foo, false",
        "/a/*, a/b, true",
        "/a/*, a/b/c, false",
        "/*, a, true",
        "/*, a/b, false",
        // several names: the end of the path
        "a/b, a/b, true",
        "a/b, x/a/b, true",
        "a/b, xa/b, false",
        "a/b, a/b/c, false",
        "a/*.o, x/a/k.o, true",
        "a/*.o, a/x/k.o, false",
        // directories only
        "tmp/, tmp/, true",
        "tmp/, tmp, false",
        "a/tmp/, x/a/tmp/, true",
        // two stars cross slashes
        "a/**, a/b, true",
        "a/**, a/b/c, true",
        "a/**, x/a/b/c, true",
        "a/**, a/, false",
        "/a/**/z, a/b/c/z, true",
        "/a/**/z, a/z, false",
        "**/z, a/b/z, true",
        "**/z, z, true",
        "**.o, a/b.o, true",
        "/**.o, a/b.o, true",
        "a**z, x/a/y/z, true",
        // a directory and all in it
        "dir/***, dir/, true",
        "dir/***, dir/a/b, true",
        "dir/***, x/dir/a, true",
        "/dir/***, x/dir/a, false",
        "dir/***, dirt/, false",
        // brackets
        "[a-c]x, bx, true",
        "[a-c]x, dx, false",
        "[!a-c]x, dx, true",
        "[^a-c]x, bx, false",
        "[]x]y, ]y, true",
        "[a-]y, -y, true",
        "a[!b]c, a/c, false",
        "[\\]]x, ]x, true",
        // backslashes
        "\\*.o, *.o, true",
        "\\*.o, a.o, false",
        "\\*.?, *.o, true",
        "a\\b, a\\b, true",
        // bytes above 127
        "gr\u00fcn*, gr\u00fcne/, true",
    })
    void patternsMatchAsForRsync(String pattern, String path, boolean matches) {
        boolean isDirectory = path.endsWith("/");
        byte[] bytes = path.substring(0, path.length() - (isDirectory ? 1 : 0)).getBytes(StandardCharsets.UTF_8);
        assertThat(new PathPattern(pattern).matches(bytes, isDirectory)).isEqualTo(matches);
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        PathRules rules = new PathRules();
        rules.add(true, "keep.tmp");
        rules.add(false, "*.tmp");
        rules.add(false, "+ kept");
        rules.add(true, "- k*");

        assertThat(taken(rules, "keep.tmp", "a.tmp", "kept", "kind", "other"))
                .containsExactly("keep.tmp", "kept", "other");
        assertThat(taken(PathRules.of(rules.texts()), "keep.tmp", "a.tmp", "kept", "kind", "other"))
                .containsExactly("keep.tmp", "kept", "other");
        rules.add(false, "!");
        assertThat(taken(rules, "a.tmp", "kind")).containsExactly("a.tmp", "kind");
    }

    @Test
    void whatIsNoPatternIsNamed() {
        assertThatThrownBy(() -> new PathPattern("")).hasMessage("the pattern is empty");
        assertThatThrownBy(() -> new PathPattern("/")).hasMessage("'/' names nothing");
        assertThatThrownBy(() -> new PathPattern("//")).hasMessage("'//' names nothing");
        assertThatThrownBy(() -> new PathPattern("a[b")).hasMessageStartingWith("'a[b': a [ has no ]");
        assertThatThrownBy(() -> new PathPattern("[")).hasMessageStartingWith("'[': a [ has no ]");
        assertThatThrownBy(() -> new PathPattern("a*\\")).hasMessageContaining("backslash");
    }

    /** A matcher that tries one way after the other would take years. */
    @Test
    void manyStarsTakeNoTime() {
        PathPattern pattern = new PathPattern("*a".repeat(60) + "b");
        byte[] path = "a".repeat(255).getBytes(StandardCharsets.UTF_8);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(pattern.matches(path, false)).isFalse());
    }

    @Test
    void listedPathsComeWithTheirParentsAndContents() {
        ListedPaths listed = new ListedPaths(List.of("/a/b", "./c//d", "no/such", "dir/"));
        assertThat(listed.takes(bytes("a"), true)).isTrue();
        assertThat(listed.takes(bytes("a/b"), true)).isTrue();
        assertThat(listed.takes(bytes("a/b/deep"), false)).isTrue();
        assertThat(listed.takes(bytes("a/c"), false)).isFalse();
        assertThat(listed.takes(bytes("ab"), true)).isFalse();
        assertThat(listed.takes(bytes("c"), true)).isTrue();
        assertThat(listed.takes(bytes("c"), false))
                .as("a file where a directory is listed")
                .isFalse();
        assertThat(listed.takes(bytes("c/d"), false)).isTrue();
        assertThat(listed.takes(bytes("dir"), true)).isTrue();
        assertThat(listed.unseen()).containsExactly("no/such");
        assertThat(new ListedPaths(List.of(".")).takes(bytes("any/thing"), false))
                .isTrue();
        assertThatThrownBy(() -> new ListedPaths(List.of("a/../../b"))).hasMessageContaining("leads out of the source");
    }

    private static List<String> taken(PathRules rules, String... paths) {
        return List.of(paths).stream()
                .filter(path -> rules.takes(bytes(path), false))
                .toList();
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }
}
