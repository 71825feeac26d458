package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.wire.WireException;

class SharedRingTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SharedRing.BYTES);
    private final SharedRing writer = new SharedRing(memory);
    private final SharedRing reader = new SharedRing(memory);

    SharedRingTest() {
        reader.open();
    }

    private static ByteBuffer frame(int bytes, int seed) {
        byte[] frame = new byte[bytes];
        new Random(seed).nextBytes(frame);
        return ByteBuffer.wrap(frame);
    }

    private static ByteBuffer copy(ByteBuffer frame) {
        return ByteBuffer.allocate(frame.remaining()).put(frame).flip();
    }

    @Test
    void framesArriveInOrderAndWhole() {
        SeededRuns.run(20, random -> {
            SharedRingTest ring = new SharedRingTest();
            Queue<ByteBuffer> written = new ArrayDeque<>();
            int mostBytes = 1 << (1 + random.nextInt(17));
            for (int i = 0; i < 2000; i++) {
                ByteBuffer frame = frame(random.nextInt(mostBytes), i);
                if (ring.writer.offer(frame)) {
                    written.add(frame);
                }
                if (random.nextInt(8) == 0) {
                    ring.reader.read(got -> assertThat(got).isEqualTo(written.remove()));
                    assertThat(written).isEmpty();
                    assertThat(ring.reader.isEmpty()).isTrue();
                }
            }
        });
    }

    @Test
    void aFrameThatDoesNotFitIsNotTaken() {
        assertThat(writer.offer(frame(SharedRing.BYTES, 1))).isFalse();
        int taken = 0;
        while (writer.offer(frame(5000, taken))) {
            taken++;
        }
        assertThat(taken).isBetween(20, SharedRing.BYTES / 5000);

        List<ByteBuffer> got = new ArrayList<>();
        assertThat(reader.read(frame -> got.add(copy(frame)))).isTrue();
        assertThat(got).hasSize(taken);
        assertThat(writer.offer(frame(5000, 0))).isTrue();
    }

    @Test
    void nothingIsTakenBeforeTheReaderHasTheMemory() {
        assertThat(new SharedRing(ByteBuffer.allocateDirect(SharedRing.BYTES)).offer(frame(10, 1)))
                .isFalse();
    }

    @Test
    void theWriterRingsOnceForAReaderThatDoesNotPoll() {
        assertThat(writer.offer(frame(10, 1))).isTrue();
        assertThat(writer.rings()).isTrue();
        assertThat(writer.offer(frame(10, 2))).isTrue();
        assertThat(writer.rings()).isFalse();
        reader.answer();
        reader.setPolled(true);
        assertThat(writer.rings()).isFalse();
        reader.setPolled(false);
        assertThat(writer.rings()).isTrue();
    }

    /** A reader that stops, and reads once more, misses nothing for which the writer does not ring. */
    @Test
    void noFrameIsMissedBetweenTwoThreads() throws Exception {
        int frames = 200_000;
        AtomicInteger rings = new AtomicInteger();
        AtomicIntegerArray got = new AtomicIntegerArray(frames);
        CountDownLatch written = new CountDownLatch(1);
        Thread writing = new Thread(() -> {
            for (int i = 0; i < frames; i++) {
                while (!writer.offer(ByteBuffer.allocate(Integer.BYTES).putInt(0, i))) {
                    Thread.onSpinWait();
                }
                if (writer.rings()) {
                    rings.incrementAndGet();
                }
            }
            written.countDown();
        });
        writing.start();
        int answered = 0;
        while (written.getCount() > 0 || answered < rings.get()) {
            reader.setPolled(true);
            for (int i = 0; i < 100; i++) {
                reader.read(frame -> got.incrementAndGet(frame.getInt(0)));
            }
            reader.setPolled(false);
            reader.read(frame -> got.incrementAndGet(frame.getInt(0)));
            if (answered < rings.get()) {
                answered++;
                reader.answer();
                reader.read(frame -> got.incrementAndGet(frame.getInt(0)));
            }
        }
        for (int i = 0; i < frames; i++) {
            assertThat(got.get(i)).as("frame %s", i).isEqualTo(1);
        }
    }

    @Test
    void otherContentIsRefused() {
        for (long written : new long[] {-8, 4, SharedRing.BYTES, Long.MIN_VALUE}) {
            assertRefused(written);
        }
        // A frame of more bytes than were written.
        memory.order(ByteOrder.nativeOrder()).putInt(SharedRing.FRAMES_AT, 100);
        assertRefused(16);
        memory.putInt(SharedRing.FRAMES_AT, -2);
        assertRefused(16);
    }

    private void assertRefused(long written) {
        memory.order(ByteOrder.nativeOrder()).putLong(0, written);
        assertThatThrownBy(() -> new SharedRing(memory).read(frame -> {})).isInstanceOf(WireException.class);
    }

    @Test
    void aMessageIsReadBackFromItsFrame() {
        Begun begun = new Begun(new MeetingKey(3, 4), "barrier");
        assertThat(writer.offer(MeshCodec.encode(begun))).isTrue();
        List<OfMeeting> got = new ArrayList<>();
        reader.read(frame -> got.add(MeshCodec.decodeFrame(frame)));
        assertThat(got).containsExactly(begun);
    }

    @Test
    void randomMemoryBreaksNothingElse() {
        SeededRuns.run(2000, SharedRingTest::readRandomMemory);
    }

    private static void readRandomMemory(SeededRandom random) {
        byte[] bytes = new byte[1 + random.nextInt(300)];
        new Random(random.nextLong()).nextBytes(bytes);
        bytes[0] = (byte) (8 * random.nextInt(32));
        ring(bytes);
    }

    @FuzzTest(maxDuration = "1m")
    void fuzzed(byte[] bytes) {
        ring(bytes);
    }

    /** @param bytes the first tells how many were written, the others are what was */
    private static void ring(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(SharedRing.BYTES).order(ByteOrder.nativeOrder());
        memory.putLong(0, Byte.toUnsignedInt(bytes[0]));
        memory.put(SharedRing.FRAMES_AT, bytes, 1, bytes.length - 1);
        try {
            new SharedRing(memory)
                    .read(frame -> assertThat(MeshCodec.decodeFrame(frame)).isNotNull());
        } catch (WireException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
