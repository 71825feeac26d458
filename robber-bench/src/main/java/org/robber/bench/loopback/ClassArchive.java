package org.robber.bench.loopback;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * An archive of the classes of a Robber node, ready to be mapped into memory: what the launcher of the command line makes
 * once per build, so that each process need not load, verify and link them anew. Made from a small multicast, before
 * anything is measured.
 */
final class ClassArchive implements AutoCloseable {
    // Three nodes in two clusters do all there is to do: local and global peers, a rank that is not the root.
    private static final LoopbackCase TRAINING = new LoopbackCase(2, 1 << 20);

    private final ScratchFolder folder;
    private final Path file;

    private ClassArchive(ScratchFolder folder) {
        this.folder = folder;
        this.file = folder.file("classes.jsa");
    }

    /** Makes the archive. */
    static ClassArchive make(LoopbackOptions options) throws IOException {
        ClassArchive archive = new ClassArchive(new ScratchFolder(options.directory()));
        Path source = archive.folder.file("data");
        try {
            long checksum = TestData.writeTo(source, TRAINING.sizeBytes());
            new ContenderRunner(options, TRAINING, source, checksum, options.jvmFlags())
                    .run(Contender.ROBBER_FILE, "-XX:ArchiveClassesAtExit=" + archive.file);
            if (!Files.exists(archive.file)) {
                throw new IOException("the JVM made no class archive: try --class-archive=off");
            }
            return archive;
        } catch (IOException | RuntimeException e) {
            archive.close();
            throw e;
        }
    }

    /** Whether the JVM can make one: it archives classes of jars only. */
    static boolean isPossible() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .noneMatch(entry -> Files.isDirectory(Path.of(entry)));
    }

    /** The flag that makes a process use it. */
    String flag() {
        return "-XX:SharedArchiveFile=" + file;
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
