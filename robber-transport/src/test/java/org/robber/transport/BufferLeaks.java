package org.robber.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.robber.transport.link.UnusedBuffers;

/**
 * Knows of each Netty buffer that is in use, and where it was made: a test can tell which of those that were made since it
 * began are never given back. Buffers of tests before it don't count, and a loop that still has to notice the end of a connection
 * is given the time to.
 */
public final class BufferLeaks<T> extends ResourceLeakDetector<T> {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final AtomicLong MADE = new AtomicLong();
    private static final Map<Long, Throwable> IN_USE = new ConcurrentHashMap<>();

    /** Others are keys, for example, which live as long as their process. */
    private final boolean ofBuffers;

    /** Made by Netty, for each kind of resources. */
    public BufferLeaks(Class<?> kind, int samplingInterval) {
        super(kind, samplingInterval);
        this.ofBuffers = ByteBuf.class.isAssignableFrom(kind);
    }

    /** Netty looks for this one, too. */
    @SuppressWarnings("unused")
    public BufferLeaks(Class<?> kind, int samplingInterval, long maxActive) {
        this(kind, samplingInterval);
    }

    /** Watches from now on. */
    public static Watch watch() {
        // A test must not use those of tests before it.
        UnusedBuffers.free();
        return new Watch(MADE.get());
    }

    /** The buffers that are made from a moment on. */
    public record Watch(long afterNumber) {

        /** Fails with the places where buffers were made that nobody gives back. */
        public void check() {
            assertThat(ResourceLeakDetectorFactory.instance().newResourceLeakDetector(Object.class))
                    .as("what looks for leaks")
                    .isInstanceOf(BufferLeaks.class);
            await().atMost(LIMIT).pollInSameThread().untilAsserted(() -> {
                UnusedBuffers.free();
                List<Throwable> left = left();
                if (!left.isEmpty()) {
                    AssertionError leak = new AssertionError(left.size() + " buffers are not given back");
                    left.forEach(leak::addSuppressed);
                    throw leak;
                }
            });
        }

        private List<Throwable> left() {
            List<Throwable> left = new ArrayList<>();
            IN_USE.forEach((number, made) -> {
                if (number > afterNumber) {
                    left.add(made);
                }
            });
            return left;
        }
    }

    private static final class Tracker<T> implements ResourceLeakTracker<T> {
        private final long number = MADE.incrementAndGet();

        Tracker() {
            IN_USE.put(number, new Throwable("made on " + Thread.currentThread().getName()));
        }

        @Override
        public void record() {
            // Where it was made is enough.
        }

        @Override
        public void record(Object hint) {
            // Where it was made is enough.
        }

        @Override
        public boolean close(T resource) {
            return IN_USE.remove(number) != null;
        }
    }

    @Override
    @SuppressWarnings("deprecation") // Netty still calls it
    public @Nullable ResourceLeakTracker<T> track(T resource) {
        return trackForcibly(resource);
    }

    @Override
    public @Nullable ResourceLeakTracker<T> trackForcibly(T resource) {
        return ofBuffers ? new Tracker<>() : null;
    }

    @Override
    public boolean isRecordEnabled() {
        return false;
    }
}
