package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.IntFunction;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;

/** Forces a copy to the disk: the bytes of its files before they get their final names, then these names. */
final class DiskSync {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> FOLLOW = Set.of(StandardOpenOption.READ);

    private static final int OWNER_READS = 0400;

    private final Manifest manifest;

    DiskSync(Manifest manifest) {
        this.manifest = manifest;
    }

    /**
     * Forces the bytes and attributes of all files.
     *
     * @param paths where each entry is
     */
    void files(IntFunction<Path> paths) {
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            if (manifest.kind(entry) == EntryKind.FILE) {
                forceFile(paths.apply(entry));
            }
        }
    }

    /** Forces the names in all directories of the copy, and in the one that takes it. They must be readable. */
    void directories(Destination destination) {
        for (int entry = manifest.isRooted() ? 1 : 0; entry < manifest.entryCount(); entry++) {
            if (manifest.kind(entry) == EntryKind.DIRECTORY) {
                force(destination.path(manifest, entry), READ);
            }
        }
        force(destination.directory(), FOLLOW);
        Path parent = destination.directory().getParent();
        if (destination.wasMade() && parent != null) {
            force(parent, FOLLOW);
        }
    }

    /** The mode of a file of ours may let nobody read it: its owner may, until it is open. */
    private static void forceFile(Path path) {
        if (Files.isReadable(path)) {
            force(path, READ);
            return;
        }
        try {
            int mode = FileStat.of(path).mode();
            AttributeWriter.setMode(path, mode | OWNER_READS);
            try (FileChannel channel = FileChannel.open(path, READ)) {
                AttributeWriter.setMode(path, mode);
                channel.force(true);
            }
        } catch (IOException e) {
            throw FileFailures.destination("commit", path, e);
        }
    }

    private static void force(Path path, Set<OpenOption> options) {
        try (FileChannel channel = FileChannel.open(path, options)) {
            channel.force(true);
        } catch (IOException e) {
            throw FileFailures.destination("commit", path, e);
        }
    }
}
