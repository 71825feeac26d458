package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.filter.Selection;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;
import org.robber.cli.source.Root;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The second copy of a source costs what has changed since the first. */
class CopyAgainTest {

    private static final int NODES = 3;
    private static final long PIECE_BYTES = 8 << 10;

    @TempDir
    Path folder;

    private Path source;
    /** A copy that is known to be damaged. */
    private Path unmended;

    private Path large;

    @BeforeEach
    void copyOnce() throws IOException {
        source = Trees.make(folder.resolve("tree"), 9);
        large = source.resolve("large");
        Files.setPosixFilePermissions(large, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(received()).isEqualTo(2 * bytes());
    }

    @Test
    void aTreeThatHasNotChangedCostsNothing() throws IOException {
        Object key = key(copyOf(large));
        assertThat(received()).isZero();
        assertThat(key(copyOf(large))).as("the file was not written again").isEqualTo(key);
    }

    /** The size and time of one file are the same, but not its bytes. */
    @Test
    void aFileThatAnotherSourceHasReplacedSinceIsReadAgain() throws IOException {
        Path first = source;
        source = Trees.make(folder.resolve("other/tree"), 10);
        Files.setLastModifiedTime(source.resolve("large"), Files.getLastModifiedTime(large));
        assertThat(received()).isPositive();
        source = first;
        assertThat(received()).isPositive();
        assertThat(received()).isZero();
    }

    @Test
    void aChangedByteCostsOnePiece() throws IOException {
        write(large, 2_000_000, new byte[] {1, 2, 3});
        assertThat(received()).isEqualTo(2 * PIECE_BYTES);
    }

    @Test
    void aGrownFileCostsItsNewPartThoughAllOthersMove() throws IOException {
        byte[] more = new byte[500_000];
        new Random(4).nextBytes(more);
        write(source.resolve("a"), Files.size(source.resolve("a")), more);
        assertThat(received()).isBetween(2L * more.length, 2 * (more.length + 3 * PIECE_BYTES));
    }

    @Test
    void aFileThatBecameShorterCostsNothing() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(1_000_000);
        }
        assertThat(received()).isLessThanOrEqualTo(2 * 2 * PIECE_BYTES);
    }

    @Test
    void timesAndModesCostNothing() throws IOException {
        Files.setLastModifiedTime(large, FileTime.from(Instant.ofEpochSecond(1_000_000_007)));
        Files.setPosixFilePermissions(large, PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(received()).isZero();
    }

    /** Size and time are the same, so a tool that looks at them alone would keep the damage. */
    @Test
    void aDamagedCopyIsMendedAndAMissingOneComes() throws IOException {
        Path copy = copyOf(large);
        FileTime time = Files.getLastModifiedTime(copy);
        write(copy, 3_000_000, new byte[] {7, 7, 7});
        Files.setLastModifiedTime(copy, time);
        assertThat(received()).isEqualTo(PIECE_BYTES);

        Files.delete(copy);
        assertThat(received()).isBetween(Files.size(large), Files.size(large) + 2 * PIECE_BYTES);
    }

    @Test
    void nothingBehindALinkIsTakenForACopy() throws IOException {
        Path outside = Files.move(folder.resolve("A-1/tree/sub"), folder.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("A-1/tree/sub"), outside);
        assertThat(received()).isPositive();
        assertThat(Files.isDirectory(folder.resolve("A-1/tree/sub"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void whatSizesAndTimesTellIsNotRead() throws IOException {
        received(trusting());
        Path copy = copyOf(large);
        FileTime time = Files.getLastModifiedTime(copy);
        write(copy, 3_000_000, new byte[] {7, 7, 7});
        Files.setLastModifiedTime(copy, time);
        unmended = copy;
        assertThat(received(trusting())).as("the damage is not seen").isZero();
        assertThat(report())
                .contains(
                        "\"bytes_unchanged\" : " + bytes(),
                        "\"bytes_verified\" : " + bytes(),
                        "\"bytes_per_second\" : 0,");
        unmended = null;
        assertThat(received(trusting().checksum())).isEqualTo(PIECE_BYTES);
        assertThat(report()).contains("\"bytes_unchanged\" : 0");
    }

    @Test
    void oneChangedFileAmongUnchangedOnesCostsItsChangedPieces() throws IOException {
        received(trusting());
        write(large, 2_000_000, new byte[] {1, 2, 3});
        Object key = key(copyOf(source.resolve("a")));
        assertThat(received(trusting())).isEqualTo(2 * PIECE_BYTES);
        assertThat(key(copyOf(source.resolve("a")))).isEqualTo(key);
        assertThat(received(trusting())).isZero();
        assertThat(report()).contains("\"bytes_unchanged\" : " + bytes());
    }

    @Test
    void aMovedFileCostsNothing() throws IOException {
        received(trusting());
        Files.createDirectory(source.resolve("new"));
        Files.move(large, source.resolve("new/name"));
        assertThat(received(trusting().selection(new Selection(List.of(), "", true))))
                .isZero();
        assertThat(copyOf(large)).doesNotExist();
        assertThat((Integer) Files.getAttribute(copyOf(source.resolve("new/name")), "unix:nlink"))
                .isEqualTo(1);
    }

    @Test
    void eachNodeGetsWhatItLacks() throws IOException {
        received(trusting());
        FileTime time = Files.getLastModifiedTime(large);
        write(folder.resolve("A-2/tree/large"), 0, new byte[] {9, 9, 9});
        try (Stream<Path> all = Files.walk(folder.resolve("A-1/tree"))) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        assertThat(received(trusting()))
                .as("A-1 gets all, A-2 what its changed file lacks")
                .isEqualTo(bytes() + PIECE_BYTES);
        assertThat(Files.getLastModifiedTime(folder.resolve("A-2/tree/large"))).isEqualTo(time);
    }

    @Test
    void aSingleFileThatIsThereIsNotRead() throws IOException {
        Requests single = Requests.of(large.toString(), folder.resolve("{node}").toString(), ChannelOptions.defaults())
                .stateFolder(folder.resolve("state"));
        assertThat(moved(single)).isEqualTo(2 * Files.size(large));
        assertThat(moved(single)).isZero();
        assertThat(report()).contains("\"bytes_unchanged\" : " + Files.size(large));
        write(large, 5, new byte[] {3});
        assertThat(moved(single)).isEqualTo(2 * PIECE_BYTES);
        assertThat(folder.resolve("A-1/large")).hasSameBinaryContentAs(large);
    }

    @Test
    void aSingleFileThatChangesDuringTheJobIsNotComplete() throws IOException {
        Requests single = Requests.of(large.toString(), folder.resolve("{node}").toString(), ChannelOptions.defaults())
                .stateFolder(folder.resolve("state"));
        moved(single);
        RecordedOutput changing = new RecordedOutput() {
            @Override
            public void started(long bytesTotal) {
                assertThatCode(() -> write(folder.resolve("A-1/large"), 5, new byte[] {3}))
                        .doesNotThrowAnyException();
            }
        };
        ReplicateRequest request = single.request();
        try (LocalJob job = Robber.local(1, NODES)) {
            job.run(world ->
                    assertThat(RecordedJob.replicate(request, world, changing)).isEqualTo(Reason.PARTIAL.exitCode()));
        }
        assertThat(changing.errors)
                .singleElement()
                .asString()
                .contains("A-1 (rank 1", "large", "run the same command again");
    }

    @Test
    void restartComparesNothing() throws IOException {
        assertThat(received(request().restart())).isEqualTo(2 * bytes());
    }

    private Path copyOf(Path file) {
        return folder.resolve("A-1/tree").resolve(source.relativize(file));
    }

    private static Object key(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    private static void write(Path file, long position, byte[] bytes) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(position);
            open.write(bytes);
        }
    }

    private long bytes() {
        return Root.scan(List.of(source.toString()), Selection.all(), "")
                .manifest()
                .totalBytes();
    }

    private Requests request() {
        return Requests.of(source.toString(), folder.resolve("{node}").toString(), ChannelOptions.defaults());
    }

    /** With records, so that sizes and times count. */
    private Requests trusting() {
        return request().stateFolder(folder.resolve("state"));
    }

    private long received() throws IOException {
        return received(request());
    }

    /** Copies; returns how many bytes all nodes received. */
    private long received(Requests requests) throws IOException {
        long received = moved(requests);
        for (String node : List.of("A-0", "A-1", "A-2")) {
            Path copy = folder.resolve(node).resolve("tree");
            if (unmended == null || !unmended.startsWith(copy)) {
                Trees.assertSame(source, copy);
            }
            assertThat(folder.resolve(node).toFile().list()).containsExactly("tree");
        }
        return received;
    }

    private String report() throws IOException {
        return Files.readString(folder.resolve("report.json"));
    }

    private long moved(Requests requests) throws IOException {
        RecordedOutput output = new RecordedOutput();
        ReplicateRequest request = requests.json(folder.resolve("report.json")).request();
        assertThat(request.report().format()).isEqualTo(OutputFormat.JSON);
        try (LocalJob job = Robber.local(1, NODES)) {
            job.run(world ->
                    assertThat(RecordedJob.replicate(request, world, output)).isZero());
        }
        assertThat(output.errors).isEmpty();
        long received = 0;
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), output.text())) {
            while (json.nextToken() != null) {
                if ("bytes_received_local".equals(json.currentName())
                        && json.currentToken().isNumeric()) {
                    received += json.getLongValue();
                }
            }
        }
        return received;
    }
}
