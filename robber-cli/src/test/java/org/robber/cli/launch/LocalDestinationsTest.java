package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;

class LocalDestinationsTest {

    @TempDir
    Path folder;

    @Test
    void removesTheFoldersThatWereMadeForNothing() throws IOException {
        Path parent = folder.resolve("parent");
        LocalDestinations places =
                LocalDestinations.prepare(parent, List.of(parent.resolve("A-0"), parent.resolve("A-1")));
        assertThat(parent).isDirectory();
        Files.createDirectory(parent.resolve("A-1"));

        places.removeLeftovers();

        assertThat(parent).doesNotExist();
        assertThat(folder).isDirectory();
    }

    @Test
    void keepsWhatWasThereAndWhatOtherJobsMade() throws IOException {
        Path node = Files.createDirectories(folder.resolve("A-0"));
        Files.createDirectories(node.resolve(".robber-other.partial"));
        Path done = Files.createDirectories(folder.resolve("A-1"));
        LocalDestinations places = LocalDestinations.prepare(folder, List.of(node, done, folder.resolve("A-2")));
        Files.createDirectories(folder.resolve("A-2/.robber-this.partial"));

        places.removeLeftovers();

        assertThat(node.resolve(".robber-other.partial")).isDirectory();
        assertThat(done).isDirectory();
        assertThat(folder.resolve("A-2/.robber-this.partial"))
                .as("for the next run")
                .isDirectory();
    }

    @Test
    void doesNotMakeFoldersOfFolders() {
        Path deep = folder.resolve("no/such/parent");
        assertThatThrownBy(() -> LocalDestinations.prepare(deep, List.of(deep.resolve("A-0"))))
                .isInstanceOf(RobberException.class)
                .as("as nodes that were launched say it")
                .hasMessage("there is no folder " + folder.resolve("no") + "; make it first");
    }

    @Test
    void saysWhyAFolderThatLacksNothingCannotBeMade() {
        Path refused = Path.of("/proc/robber-test");
        assertThatThrownBy(() -> LocalDestinations.prepare(refused, List.of(refused.resolve("A-0"))))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("/proc");
    }
}
