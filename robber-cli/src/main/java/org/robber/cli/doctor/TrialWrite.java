package org.robber.cli.doctor;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.doctor.DestinationCheckup.Disk;
import org.robber.cli.report.FileFailure;

/** Looks at a real file system, and writes a file for at most a second, forces it to the disk, and removes it. */
final class TrialWrite implements DestinationCheckup.DiskProbe {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long MOST_BYTES = 256L << 20;
    private static final long WRITE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The trial takes no more than this part of the free space. */
    private static final int SHARE_OF_FREE_SPACE = 10;

    @Override
    public Disk look(Path destination) {
        Path folder = destination.toAbsolutePath().normalize();
        // replicate makes the last folder
        if (!Files.exists(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        if (!Files.isDirectory(folder)) {
            return failed(folder + (Files.exists(folder) ? " is not a folder" : " does not exist"));
        }
        try {
            long freeBytes = DestinationInfo.freeBytes(folder);
            long freeFiles = freeFiles(folder);
            if (!Files.isWritable(folder)) {
                return failed(folder + " cannot be written to");
            }
            long most = freeFiles == 0 ? 0 : Math.min(MOST_BYTES, freeBytes / SHARE_OF_FREE_SPACE);
            return write(folder, freeBytes, freeFiles, most - most % BLOCK_BYTES);
        } catch (IOException e) {
            return failed("nothing can be written to " + folder + ": " + FileFailure.text(e));
        }
    }

    private static Disk failed(String problem) {
        return new Disk(problem, 0, -1, 0, 0);
    }

    private static Disk write(Path folder, long freeBytes, long freeFiles, long most) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        // zeros would be too easy for file systems that compress
        byte[] noise = new byte[BLOCK_BYTES];
        new Random(most).nextBytes(noise);
        block.put(noise);
        // Other machines may try the same disk at this moment.
        Path trial = Files.createTempFile(folder, ".robber-doctor-", ".tmp");
        trial.toFile().deleteOnExit();
        long written = 0;
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(trial, WRITE)) {
            while (written < most && System.nanoTime() - start < WRITE_NANOS) {
                block.rewind();
                while (block.hasRemaining()) {
                    written += channel.write(block);
                }
            }
            channel.force(false);
        } finally {
            Files.deleteIfExists(trial);
        }
        return new Disk("", freeBytes, freeFiles, written, (System.nanoTime() - start) / 1e9);
    }

    /**
     * Java does not tell this, but the program stat does. -1 if the file system makes files as long as it has space, or if there is no program stat.
     */
    private static long freeFiles(Path folder) {
        try {
            Process stat = new ProcessBuilder("stat", "-f", "-c", "%c %d", folder.toString())
                    .redirectErrorStream(true)
                    .start();
            stat.getOutputStream().close();
            String told = new String(stat.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1).strip();
            String[] words = told.split(" ", 2);
            boolean limited = words.length == 2 && MachineFiles.number(words[0]) > 0;
            return limited ? MachineFiles.number(words[1]) : -1;
        } catch (IOException e) {
            return -1;
        }
    }
}
