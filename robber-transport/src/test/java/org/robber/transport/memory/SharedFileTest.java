package org.robber.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SharedFileTest {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final int BYTES = 100_000;

    private final SharedFile created = Objects.requireNonNull(SharedFile.create(BYTES));

    @AfterEach
    void delete() {
        created.delete();
        created.unmap();
    }

    private Path file() {
        return FOLDER.resolve(created.name());
    }

    @Test
    void whatOneWritesTheOtherReads() {
        SharedFile opened = Objects.requireNonNull(SharedFile.open(created.name(), created.token(), BYTES));
        assertThat(opened.memory().capacity()).isEqualTo(BYTES);
        created.memory().putInt(BYTES - 4, 7);
        assertThat(opened.memory().getInt(BYTES - 4)).isEqualTo(7);
        assertThat(opened.memory().getInt(0)).isZero();
        opened.unmap();
    }

    @Test
    void onlyTheUserMayOpenIt() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void itIsNotFoundOnceItIsDeletedAndItsMemoryStays() {
        created.delete();
        assertThat(file()).doesNotExist();
        assertThat(SharedFile.open(created.name(), created.token(), BYTES)).isNull();
        created.memory().putInt(0, 3);
        assertThat(created.memory().getInt(0)).isEqualTo(3);
    }

    @Test
    void whatAKilledProcessHasLeftIsDeletedOnceItIsOld() throws IOException {
        Path left = Files.createFile(FOLDER.resolve("robber-" + UUID.randomUUID()));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(25))));

        SharedFile.deleteOld();

        assertThat(left).doesNotExist();
        assertThat(file()).exists();
    }

    @Test
    void aProcessThatIsToldToEndLeavesNone() throws IOException {
        Process maker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SharedFileMaker.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String name;
        try (BufferedReader said = maker.inputReader()) {
            name = Objects.requireNonNull(said.readLine());
            assertThat(said.readLine()).isNull();
        }
        maker.onExit().join();
        assertThat(name).startsWith("robber-");
        assertThat(FOLDER.resolve(name)).doesNotExist();
    }

    @Test
    void anotherFileIsNotTakenForIt() throws IOException {
        assertThat(SharedFile.open(created.name(), created.token() + 1, BYTES)).isNull();
        assertThat(SharedFile.open(created.name(), created.token(), BYTES + 1)).isNull();
        assertThat(SharedFile.open("../shm/" + created.name(), created.token(), BYTES))
                .isNull();
        assertThat(SharedFile.open("", 0, BYTES)).isNull();

        Path link = FOLDER.resolve(
                "robber-00000000-0000-0000-0000-" + created.name().substring(31));
        try {
            Files.createSymbolicLink(link, file());
            assertThat(SharedFile.open(String.valueOf(link.getFileName()), created.token(), BYTES))
                    .isNull();
        } finally {
            Files.deleteIfExists(link);
        }
    }
}
