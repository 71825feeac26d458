package org.robber.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A file system of its own for the copy of one node, seen by no other process, that can be filled while the node writes to it. */
final class SoakDisk {
    private static final int PAGE_BYTES = 4096;
    private static final long MORE_BYTES = 8L << 20;
    private static final String FILLER = "filler";

    private SoakDisk() {}

    /** Whether this user may make one. */
    static boolean isPossible() {
        try {
            return new ProcessBuilder("unshare", "-m", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The command with one at the place, which must exist, with room for a source of this size. */
    static List<String> mountedAt(Path place, long bytes, int files, List<String> command) {
        long size = bytes + (long) files * PAGE_BYTES + MORE_BYTES;
        List<String> all = new ArrayList<>(List.of(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount -t tmpfs -o size=\"$1\" tmpfs \"$2\" || exit 99; shift 2; exec \"$@\"",
                "sh",
                Long.toString(size),
                place.toString()));
        all.addAll(command);
        return all;
    }

    /** Fills the one that this process sees at the place; whether anything could be written. */
    static boolean fill(ProcessHandle process, Path place) {
        Path filler = Path.of("/proc/" + process.pid() + "/root" + place.toAbsolutePath())
                .resolve(FILLER);
        byte[] block = new byte[PAGE_BYTES];
        try {
            while (process.isAlive()) {
                Files.write(filler, block, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            return false;
        } catch (IOException e) {
            // full, or the process has ended
            return process.isAlive();
        }
    }
}
