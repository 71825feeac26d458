package org.robber.cli.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.FakeWorld;
import org.robber.cli.destination.DestinationChecks.Problem;
import org.robber.core.random.SeededRandom;
import org.robber.core.wire.WireLimits;

class DestinationChecksTest {

    @TempDir
    Path folder;

    private final List<String> names = List.of("A-0", "A-1", "B-0");

    @Test
    void twoNodesOfOneMachineMayNotShareAPlace() throws IOException {
        Path place = Files.createDirectory(folder.resolve("place"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), place);
        List<DestinationInfo> facts = List.of(
                DestinationInfo.of("one", place.resolve("x")),
                DestinationInfo.of("two", place.resolve("x")),
                DestinationInfo.of("one", link.resolve("y/../x")));

        assertThatThrownBy(() -> DestinationChecks.check(facts, names, List.of(), 0, false))
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.USAGE);
                    assertThat(e.ranks()).containsExactly(0, 2);
                })
                .hasMessageContaining("A-0 and B-0")
                .hasMessageContaining("{node}");
    }

    @Test
    void differentPlacesAndMachinesAreFine() {
        List<DestinationInfo> facts = List.of(
                DestinationInfo.of("one", folder.resolve("x")),
                DestinationInfo.of("two", folder.resolve("x")),
                DestinationInfo.of("one", folder.resolve("y")));

        assertThatCode(() -> DestinationChecks.check(facts, names, List.of(), 0, false))
                .doesNotThrowAnyException();
    }

    @Test
    void nobodyWritesIntoTheSource() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        List<DestinationInfo> facts = List.of(
                DestinationInfo.of("one", folder.resolve("x")),
                DestinationInfo.of("two", source.resolve("y")),
                DestinationInfo.of("one", source.resolve("z")));

        assertThatThrownBy(() -> DestinationChecks.check(
                        facts, names, DestinationChecks.sourceTrees(List.of(source + "/")), 0, false))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.ranks()).containsExactly(2))
                .hasMessageContaining("inside the source");
    }

    @Test
    void theSourceCanBeTheCopyOfRankZero() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThat(DestinationChecks.isSource(source.toString(), folder.toString()))
                .isTrue();
        assertThat(DestinationChecks.isSource(source + "/", source.toString())).isTrue();
        assertThat(DestinationChecks.isSource(source.toString(), source.toString()))
                .isFalse();
        assertThat(DestinationChecks.isSource(source + "/", folder.toString())).isFalse();
        assertThat(DestinationChecks.isSource(file.toString(), folder.toString()))
                .isTrue();
        assertThat(DestinationChecks.isSource(file.toString(), file.toString())).isTrue();
        assertThat(DestinationChecks.isSource(
                        file.toString(), folder.resolve("other").toString()))
                .isFalse();
    }

    /** Copies replace links, and do not write through them. */
    @Test
    void aLinkToTheSourceIsNotTheSource() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Path place = Files.createDirectory(folder.resolve("place"));
        Path link = Files.createSymbolicLink(place.resolve("file"), file);
        Files.createSymbolicLink(place.resolve("tree"), tree);

        assertThat(DestinationChecks.isSource(file.toString(), place.toString()))
                .isFalse();
        assertThat(DestinationChecks.isSource(file.toString(), link.toString())).isFalse();
        assertThat(DestinationChecks.isSource(tree.toString(), place.toString()))
                .isFalse();
        assertThat(DestinationChecks.isSource(link.toString(), place.toString()))
                .as("the link itself is copied")
                .isTrue();
        assertThat(DestinationChecks.isSource(tree + "/", place.resolve("tree").toString()))
                .as("the destination itself is followed")
                .isTrue();
    }

    @Test
    void twoDotsMeanWhatIsInTheFolder() throws IOException {
        Path below = Files.createDirectories(folder.resolve("source/below"));
        Path place = Files.createDirectory(folder.resolve("source/place"));

        assertThat(DestinationChecks.isSource(below + "/..", place.toString())).isFalse();
        assertThat(DestinationChecks.isSource(
                        below + "/..", folder.resolve("source").toString()))
                .isTrue();
    }

    /** As the kernel does, and not by the letters of the path. */
    @Test
    void twoDotsBehindALinkLeadOutOfItsTarget() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("real/inner"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), inner);
        Path place = folder.toRealPath().resolve("real/place");

        assertThat(DestinationInfo.of("host", link.resolve("../place")).path()).isEqualTo(place.toString());
        Files.createDirectory(place);
        assertThat(DestinationInfo.of("host", link.resolve("../place")).path()).isEqualTo(place.toString());
    }

    @Test
    void aLinkIsFollowedOnlyIfWhatIsInItIsCopied() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);

        assertThat(DestinationChecks.sourceTrees(List.of(link.toString()))).isEmpty();
        assertThat(DestinationChecks.sourceTrees(List.of(link + "/"))).containsExactly(data.toRealPath());
        assertThat(DestinationChecks.sourcePlaces(List.of(link.toString())))
                .containsExactly(folder.toRealPath().resolve("link"));
    }

    @Test
    void nodesOfOneDiskShareItsSpace() {
        List<DestinationInfo> facts = List.of(
                new DestinationInfo("one", "/a", "1", "disk", 100, 0, ""),
                new DestinationInfo("one", "/b", "2", "disk", 100, 0, ""),
                new DestinationInfo("two", "/a", "1", "disk", 100, 0, "/a cannot be written to"));

        Problem withoutRights = new Problem(List.of(2), "B-0 on two: /a cannot be written to");
        assertThat(DestinationChecks.problems(facts, names, eachOf(50))).containsExactly(withoutRights);
        assertThat(DestinationChecks.problems(facts, names, eachOf(51)))
                .containsExactly(
                        withoutRights, new Problem(List.of(0, 1), "/a on one: 102 B needed by 2 nodes, 100 B free"));
        assertThat(DestinationChecks.problems(
                        facts.stream().map(place -> place.keeping(70)).toList(), names, eachOf(50)))
                .contains(new Problem(
                        List.of(0, 1),
                        "/a on one: 100 B needed by 2 nodes, 30 B free beside the 70 B that must stay free there"
                                + " (keep-free of its daemon)"));
    }

    private static List<Long> eachOf(long bytes) {
        return List.of(bytes, bytes, bytes);
    }

    @Test
    void foldersThatNobodyMakesAreMissed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThat(DestinationInfo.of("host", folder.resolve("a")).problem()).isEmpty();
        assertThat(DestinationInfo.of("host", folder.resolve("a/b"), 2).problem())
                .isEmpty();
        assertThat(DestinationInfo.of("host", folder.resolve("a/b")).problem()).contains("no folder", "/a; make it");
        assertThat(DestinationInfo.of("host", file.resolve("a")).problem()).contains("/file is not a folder");
        assertThat(DestinationInfo.of("host", file).problem()).isEmpty();
    }

    @Test
    void factsTravelAsBytes() {
        DestinationInfo facts = DestinationInfo.of("host", folder);
        assertThat(DestinationInfo.fromBytes(facts.toBytes())).isEqualTo(facts);
        assertThat(facts.freeBytes()).isPositive();
        assertThatThrownBy(() -> DestinationInfo.fromBytes(new byte[3])).isInstanceOf(IllegalArgumentException.class);
    }

    /** A node that has the source, and is not rank 0, hears of all in one answer of a MiB at most. */
    @Test
    void thePlacesOfTenThousandNodesFitIntoAnAnswer() {
        SeededRandom random = new SeededRandom(1);
        List<DestinationInfo> places = IntStream.range(0, 10_000)
                .mapToObj(rank -> new DestinationInfo(
                        "compute-" + rank + ".cluster.example.org",
                        "/scratch/projects/climate/ensemble-2026/members/node-" + rank + "/input",
                        "(dev=fd01,ino=" + random.nextInt(1 << 30) + ")",
                        "/dev/mapper/vg0-scratch",
                        random.nextLong() >>> 20,
                        0,
                        ""))
                .toList();
        byte[] answer = DestinationInfo.toBytes(places);
        assertThat(answer).hasSizeLessThan(WireLimits.MAX_PAYLOAD_BYTES);
        assertThat(DestinationInfo.listFromBytes(answer)).isEqualTo(places);
        assertThatThrownBy(() -> DestinationInfo.listFromBytes(new byte[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void placeholdersAreReplacedPerNode() {
        assertThat(DestinationPattern.resolve("/data/{cluster}/{node}/{rank}", FakeWorld.of(2, 2)))
                .isEqualTo("/data/A/A-0/0");
        assertThat(DestinationPattern.resolve("/data", 3, "B", "B-1")).isEqualTo("/data");
        assertThat(DestinationPattern.isPattern("/data/{host}")).isFalse();
        assertThat(DestinationPattern.isPattern("{rank}")).isTrue();
    }
}
