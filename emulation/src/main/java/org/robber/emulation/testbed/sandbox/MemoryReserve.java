package org.robber.emulation.testbed.sandbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Memory that programs are going to need, touched before they are measured. The host of a virtual machine may take free memory
 * back, and the next program that touches it waits for the host. That took 3 to 4.7 s for each GB where it was found, ten times as
 * long as writing it. So this holds as much as programs will need, and gives it up as free memory becomes less. Programs then get
 * memory that the machine has. It asks for no more memory than the programs do.
 */
public final class MemoryReserve implements AutoCloseable {

    /** Free memory that is left for other use between two checks. */
    private static final long LEFT_FREE_BYTES = 1L << 30;

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long LOOK_MILLIS = 20;

    private final FileChannel file;
    private final LongSupplier freeBytes;
    private final long freeAtFirstBytes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::follow, "testbed-memory");

    private MemoryReserve(FileChannel file, LongSupplier freeBytes) {
        this.file = file;
        this.freeBytes = freeBytes;
        this.freeAtFirstBytes = freeBytes.getAsLong();
    }

    /**
     * Touches so much memory, or less where less is free.
     *
     * @param folder in memory, with room for as much; nothing is seen in it
     * @throws TestbedException if the folder does not take it
     */
    public static MemoryReserve take(Path folder, long bytes) {
        return take(folder, bytes, () -> MemoryInfo.now().freeBytes());
    }

    static MemoryReserve take(Path folder, long bytes, LongSupplier freeBytes) {
        long wantedBytes = Math.min(bytes, freeBytes.getAsLong() - LEFT_FREE_BYTES);
        try {
            FileChannel file = FileChannel.open(
                    folder.resolve("reserve"),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    // gone as soon as it is open: nothing can be left behind
                    StandardOpenOption.DELETE_ON_CLOSE);
            try {
                ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
                for (long at = 0; at + BLOCK_BYTES <= wantedBytes; at += BLOCK_BYTES) {
                    file.write(block.clear(), at);
                }
                MemoryReserve reserve = new MemoryReserve(file, freeBytes);
                reserve.thread.setDaemon(true);
                reserve.thread.start();
                return reserve;
            } catch (IOException | RuntimeException e) {
                file.close();
                throw e;
            }
        } catch (IOException e) {
            throw new TestbedException("cannot reserve memory: " + e.getMessage(), e);
        }
    }

    /** The bytes that are still held. */
    long heldBytes() {
        try {
            return file.size();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Whether all has been given up within this time. */
    boolean isGivenUpWithin(long millis) throws InterruptedException {
        thread.join(millis);
        return !thread.isAlive() && heldBytes() == 0;
    }

    private void follow() {
        try {
            while (heldBytes() > 0 && !closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                long missingBytes = freeAtFirstBytes - freeBytes.getAsLong();
                if (missingBytes > 0) {
                    file.truncate(Math.max(0, heldBytes() - missingBytes));
                }
            }
        } catch (IOException | InterruptedException e) {
            // it ends with the testbed, which frees all memory
        }
    }

    /** Frees the rest. */
    @Override
    public void close() {
        closed.countDown();
        try (file) {
            thread.join();
        } catch (IOException e) {
            throw new TestbedException("cannot give memory back: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
