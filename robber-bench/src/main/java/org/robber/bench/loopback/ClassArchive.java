package org.robber.bench.loopback;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An archive of the classes of a Robber node, ready to be mapped into memory: what the launcher of the command line makes
 * once per build, so that each process need not load, verify and link them anew. Made from a small multicast, before
 * anything is measured.
 */
final class ClassArchive implements AutoCloseable {
    // Three nodes in two clusters do all there is to do: local and global peers, a rank that is not the root.
    private static final LoopbackCase TRAINING = new LoopbackCase(2, 1 << 20);

    private final LoopbackOptions options;
    private final @Nullable ScratchFolder folder;

    private ClassArchive(LoopbackOptions options, @Nullable ScratchFolder folder) {
        this.options = options;
        this.folder = folder;
    }

    /** Makes the archive, or none where the options want none, no process is a node of Robber, or the JVM cannot. */
    static ClassArchive make(LoopbackOptions options) throws IOException {
        if (!options.classArchive()
                || !isPossible()
                || options.contenders().stream().noneMatch(Contender::isRobber)) {
            return new ClassArchive(options, null);
        }
        ScratchFolder folder = new ScratchFolder(options.directory());
        try {
            Path source = folder.file("data");
            long checksum = TestData.writeTo(source, TRAINING.sizeBytes());
            new ContenderRunner(options, TRAINING, source, checksum, options.jvmFlags())
                    .run(Contender.ROBBER_FILE, "-XX:ArchiveClassesAtExit=" + file(folder));
            if (!Files.exists(file(folder))) {
                throw new IOException("the JVM made no class archive: try --class-archive=off");
            }
            return new ClassArchive(options, folder);
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static Path file(ScratchFolder folder) {
        return folder.file("classes.jsa");
    }

    /** Whether the JVM can make one: it archives classes of jars only. */
    private static boolean isPossible() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .noneMatch(entry -> Files.isDirectory(Path.of(entry)));
    }

    /** The flags of all processes: those of the options, and one that makes them use the archive. */
    List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(options.jvmFlags());
        if (folder != null) {
            flags.add("-XX:SharedArchiveFile=" + file(folder));
        }
        return flags;
    }

    @Override
    public void close() throws IOException {
        if (folder != null) {
            folder.close();
        }
    }
}
