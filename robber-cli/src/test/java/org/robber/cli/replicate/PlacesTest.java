package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.FakeWorld;

class PlacesTest {

    @TempDir
    Path folder;

    private final List<String> names = List.of("A-0", "A-1", "B-0");

    @Test
    void twoNodesOfOneMachineMayNotShareAPlace() throws IOException {
        Path place = Files.createDirectory(folder.resolve("place"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), place);
        List<PlaceFacts> facts = List.of(
                PlaceFacts.of("one", place.resolve("x")),
                PlaceFacts.of("two", place.resolve("x")),
                PlaceFacts.of("one", link.resolve("y/../x")));

        assertThatThrownBy(() -> Places.check(facts, names, null, false))
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.USAGE);
                    assertThat(e.ranks()).containsExactly(0, 2);
                })
                .hasMessageContaining("A-0 and B-0")
                .hasMessageContaining("{node}");
    }

    @Test
    void differentPlacesAndMachinesAreFine() {
        List<PlaceFacts> facts = List.of(
                PlaceFacts.of("one", folder.resolve("x")),
                PlaceFacts.of("two", folder.resolve("x")),
                PlaceFacts.of("one", folder.resolve("y")));

        assertThatCode(() -> Places.check(facts, names, null, false)).doesNotThrowAnyException();
    }

    @Test
    void nobodyWritesIntoTheSource() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        List<PlaceFacts> facts = List.of(
                PlaceFacts.of("one", folder.resolve("x")),
                PlaceFacts.of("two", source.resolve("y")),
                PlaceFacts.of("one", source.resolve("z")));

        assertThatThrownBy(() -> Places.check(facts, names, Places.sourceTree(source + "/"), false))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.ranks()).containsExactly(2))
                .hasMessageContaining("inside the source");
    }

    @Test
    void theSourceCanBeTheCopyOfRankZero() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThat(Places.isSource(source.toString(), folder.toString())).isTrue();
        assertThat(Places.isSource(source + "/", source.toString())).isTrue();
        assertThat(Places.isSource(source.toString(), source.toString())).isFalse();
        assertThat(Places.isSource(source + "/", folder.toString())).isFalse();
        assertThat(Places.isSource(file.toString(), folder.toString())).isTrue();
        assertThat(Places.isSource(file.toString(), file.toString())).isTrue();
        assertThat(Places.isSource(file.toString(), folder.resolve("other").toString()))
                .isFalse();
    }

    @Test
    void nodesOfOneDiskShareItsSpace() {
        List<PlaceFacts> facts = List.of(
                new PlaceFacts("one", "/a", "1", "disk", 100, ""),
                new PlaceFacts("one", "/b", "2", "disk", 100, ""),
                new PlaceFacts("two", "/a", "1", "disk", 100, "/a cannot be written to"));

        assertThat(Places.problems(facts, names, 50)).containsExactly("B-0 on two: /a cannot be written to");
        assertThat(Places.problems(facts, names, 51))
                .containsExactly(
                        "B-0 on two: /a cannot be written to", "/a on one: 102 B needed by 2 nodes, 100 B free");
    }

    @Test
    void foldersThatNobodyMakesAreMissed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThat(PlaceFacts.of("host", folder.resolve("a")).problem()).isEmpty();
        assertThat(PlaceFacts.of("host", folder.resolve("a/b"), 2).problem()).isEmpty();
        assertThat(PlaceFacts.of("host", folder.resolve("a/b")).problem()).contains("no folder", "/a; make it");
        assertThat(PlaceFacts.of("host", file.resolve("a")).problem()).contains("/file is not a folder");
        assertThat(PlaceFacts.of("host", file).problem()).isEmpty();
    }

    @Test
    void factsTravelAsBytes() {
        PlaceFacts facts = PlaceFacts.of("host", folder);
        assertThat(PlaceFacts.fromBytes(facts.toBytes())).isEqualTo(facts);
        assertThat(facts.freeBytes()).isPositive();
        assertThat(SourceFacts.fromBytes(new SourceFacts("job", 7).toBytes())).isEqualTo(new SourceFacts("job", 7));
        assertThatThrownBy(() -> PlaceFacts.fromBytes(new byte[3])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void placeholdersAreReplacedPerNode() {
        assertThat(DestinationPattern.resolve("/data/{cluster}/{node}/{rank}", new FakeWorld(2, 2)))
                .isEqualTo("/data/A/A-0/0");
        assertThat(DestinationPattern.resolve("/data", 3, "B", "B-1")).isEqualTo("/data");
        assertThat(DestinationPattern.isPattern("/data/{host}")).isFalse();
        assertThat(DestinationPattern.isPattern("{rank}")).isTrue();
    }

    @Test
    void failuresNameTheNodeOnce() {
        FakeWorld world = new FakeWorld(1, 2);
        RobberException failure = FailureText.here(
                world, "prepare", new RobberException(Reason.DESTINATION, List.of(), "x", "no space\nleft"));

        assertThat(failure).hasMessage("node A-0 (rank 0, host host0) failed during 'prepare': no space left");
        assertThat(FailureText.here(world, "commit", failure)).isSameAs(failure);
        assertThat(FailureText.nodes(world, List.of(1))).isEqualTo("node A-1 (rank 1, host host1)");
    }
}
