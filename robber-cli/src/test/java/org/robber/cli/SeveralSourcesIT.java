package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Several sources make the tree that rsync makes of them. */
@Execution(ExecutionMode.CONCURRENT)
class SeveralSourcesIT {

    private static final Path RSYNC = Path.of("/usr/bin/rsync");

    @TempDir
    Path folder;

    @Test
    void theTreeIsThatOfRsync() throws Exception {
        assumeThat(RSYNC).isExecutable();
        Trees.make(folder.resolve("p/d"), 1);
        Trees.make(folder.resolve("q/d"), 2);
        Trees.make(folder.resolve("e"), 3);
        Files.writeString(folder.resolve("file"), "one more");
        Path ofRsync = Files.createDirectory(folder.resolve("of-rsync"));
        List<String> sources = List.of("p/d", "e/", "q/d", "file");

        List<String> rsync = new ArrayList<>(List.of(RSYNC.toString(), "-a"));
        rsync.addAll(sources);
        rsync.add(ofRsync.toString());
        try (Launched run = Launched.command(folder, Map.of(), rsync)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        replicate(0, sources);
        for (String node : List.of("A-0", "A-1")) {
            Trees.assertSame(ofRsync, folder.resolve("dest").resolve(node));
        }

        // once more, with something to remove in both directories that were merged
        Files.delete(folder.resolve("p/d/a"));
        Files.delete(folder.resolve("q/d/a"));
        replicate(0, List.of("--delete", "p/d", "q/d", "file"));
        assertThat(folder.resolve("dest/A-1/d/a")).doesNotExist();
        assertThat(folder.resolve("dest/A-1/d/large")).hasSameBinaryContentAs(folder.resolve("p/d/large"));
        assertThat(folder.resolve("dest/A-1/a"))
                .as("nothing beside the sources is removed")
                .exists();
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        Files.createDirectories(folder.resolve("p/d"));
        Files.createDirectories(folder.resolve("q"));
        Files.writeString(folder.resolve("q/d"), "a file");
        assertThat(replicate(3, List.of("p/d", "q/d"))).contains("only one of them is a directory");
        assertThat(replicate(3, List.of("p/d", "missing"))).contains("missing: no such file");
        assertThat(replicate(2, List.of("p/d", "-"))).contains("a stream is the only SRC, and comes from rank 0");
        assertThat(replicate(2, List.of("--files-from=q/d", "p/d", "q")))
                .contains("--files-from lists paths of one SRC, and 2 are given");
        assertThat(folder.resolve("dest/A-1")).doesNotExist();
    }

    private String replicate(int exitCode, List<String> arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("replicate", "--local=1x2"));
        all.addAll(arguments);
        all.add("dest");
        try (Launched run = Launched.start(folder, Map.of(), all.toArray(String[]::new))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
            return run.err();
        }
    }
}
