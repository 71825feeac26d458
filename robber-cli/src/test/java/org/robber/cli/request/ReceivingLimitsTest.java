package org.robber.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

class ReceivingLimitsTest {
    @TempDir
    Path folder;

    private Path allowed;
    private Path outside;
    private ReceivingLimits limits;

    @BeforeEach
    void makeFolders() throws IOException {
        allowed = Files.createDirectory(folder.resolve("allowed"));
        outside = Files.createDirectory(folder.resolve("allowed-not"));
        limits = new ReceivingLimits(List.of(folder.resolve("missing"), allowed), 1000, 0);
    }

    private void assertAllowed(String place) {
        assertThatCode(() -> limits.checkPlace(place)).as(place).doesNotThrowAnyException();
    }

    private void assertRefused(String place, String why) {
        assertThatExceptionOfType(RobberException.class)
                .as(place)
                .isThrownBy(() -> limits.checkPlace(place))
                .withMessageContaining(why)
                .matches(refusal -> refusal.reason() == Reason.DESTINATION);
    }

    @Test
    void whatIsInAnAllowedFolderIsAllowed() throws IOException {
        Files.createDirectory(allowed.resolve("in"));
        Files.createSymbolicLink(allowed.resolve("link"), allowed.resolve("in"));
        Files.createSymbolicLink(folder.resolve("way"), allowed);
        for (String place : List.of("", "/", "/new", "/new/deep/", "/in", "/in/x", "/link/x", "//in//x", "/./in")) {
            assertAllowed(allowed + place);
        }
        assertAllowed(folder.resolve("way") + "/in");
        limits = new ReceivingLimits(List.of(folder.resolve("way")), 1000, 0);
        assertAllowed(allowed + "/in");
    }

    @Test
    void whatIsElsewhereIsRefused() throws IOException {
        Files.createSymbolicLink(allowed.resolve("out"), outside);
        Files.createSymbolicLink(allowed.resolve("dangling"), outside.resolve("new"));
        Files.createSymbolicLink(allowed.resolve("loop"), allowed.resolve("loop"));
        assertRefused(
                outside.toString(),
                "is not allowed here: copies may go into " + folder.resolve("missing") + " (there is no such folder), "
                        + allowed);
        assertRefused(folder.toString(), "is not allowed here");
        assertRefused("/", "is not allowed here");
        assertRefused(allowed + "/out", "DEST " + outside + " is not allowed here");
        assertRefused(allowed + "/out/new", "is not allowed here");
        assertRefused(allowed + "/../allowed-not", "without '..'");
        assertRefused(allowed + "/x/../y", "without '..'");
        assertRefused("relative", "must be an absolute path");
        assertRefused(allowed + "/dangling", "which leads nowhere");
        assertRefused(allowed + "/dangling/x", "which leads nowhere");
        assertRefused(allowed + "/loop/x", "which leads nowhere");
        assertRefused(folder.resolve("missing") + "/x", "is not allowed here");
    }

    /** A copy replaces such a link, and does not follow it. */
    @Test
    void aLinkToAFileIsWhereItIs() throws IOException {
        Path inside = Files.createFile(allowed.resolve("file"));
        Files.createSymbolicLink(outside.resolve("in"), inside);
        Files.createSymbolicLink(allowed.resolve("out"), Files.createFile(outside.resolve("file")));
        assertRefused(outside + "/in", "DEST " + outside + "/in is not allowed here");
        assertAllowed(allowed + "/out");
        assertAllowed(inside.toString());
        // A stream would write through it.
        Files.createSymbolicLink(allowed.resolve("device"), Path.of("/dev/null"));
        assertRefused(allowed + "/device", "DEST /dev/null is not allowed here");
    }

    @Test
    void foldersThatAreNotThereAreKnown() {
        assertThat(limits.missingFolders()).containsExactly(folder.resolve("missing"));
        assertThat(ReceivingLimits.none().missingFolders()).isEmpty();
    }

    @Test
    void sizesAndRoomAreLimited() {
        assertThatCode(() -> limits.checkSize(1000)).doesNotThrowAnyException();
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> limits.checkSize(1001))
                .withMessageContaining("are allowed there (quota of its daemon)");
        assertThatCode(() -> limits.checkRoom(allowed)).doesNotThrowAnyException();
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> new ReceivingLimits(List.of(allowed), 1, Long.MAX_VALUE).checkRoom(allowed))
                .withMessageContaining("must stay free there (keep-free of its daemon)");
    }
}
