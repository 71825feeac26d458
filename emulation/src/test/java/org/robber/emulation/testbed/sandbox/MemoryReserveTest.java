package org.robber.emulation.testbed.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MemoryReserveTest {

    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    @TempDir
    Path folder;

    private final AtomicLong freeBytes = new AtomicLong(20 * GIB);

    @Test
    void holdsWhatItWasAskedForAndNobodySeesIt() {
        try (MemoryReserve reserve = MemoryReserve.take(folder, 5 * MIB, freeBytes::get)) {
            assertThat(reserve.heldBytes()).isEqualTo(5 * MIB);
            assertThat(folder).isEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whereLittleIsFreeItLeavesAGibibyte() {
        freeBytes.set(GIB + 3 * MIB);
        try (MemoryReserve reserve = MemoryReserve.take(folder, GIB, freeBytes::get)) {
            assertThat(reserve.heldBytes()).isEqualTo(3 * MIB);
        }
        freeBytes.set(GIB / 2);
        try (MemoryReserve reserve = MemoryReserve.take(folder, GIB, freeBytes::get)) {
            assertThat(reserve.heldBytes()).isZero();
        }
    }

    @Test
    void givesUpAsMuchAsOthersTake() throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(4);
        try (MemoryReserve reserve = MemoryReserve.take(folder, 8 * MIB, () -> {
            looked.countDown();
            // what is given up is free again, so the second look finds nothing missing
            return looked.getCount() == 1 ? freeBytes.get() - 3 * MIB : freeBytes.get();
        })) {
            looked.await();

            assertThat(reserve.heldBytes()).isEqualTo(5 * MIB);
        }
    }

    @Test
    void endsWhenAllIsGivenUp() throws InterruptedException {
        try (MemoryReserve reserve = MemoryReserve.take(folder, 8 * MIB, freeBytes::get)) {
            freeBytes.addAndGet(-GIB);

            assertThat(reserve.isGivenUpWithin(30_000)).isTrue();
        }
    }
}
