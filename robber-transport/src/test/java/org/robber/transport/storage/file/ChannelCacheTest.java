package org.robber.transport.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.Storage.FileRange;
import org.robber.transport.storage.Trees;

class ChannelCacheTest {
    @TempDir
    Path directory;

    private final List<Integer> opened = new ArrayList<>();
    private final ChannelCache cache = new ChannelCache(2, this::open);

    private FileChannel open(int entry) throws IOException {
        opened.add(entry);
        return FileChannel.open(Trees.write(directory.resolve("f" + entry), "x"));
    }

    private FileChannel use(int entry) throws IOException {
        try (ChannelCache.Lease lease = cache.lease(entry)) {
            return lease.channel();
        }
    }

    @Test
    void closesTheOneThatWasNotUsedForLongest() throws IOException {
        FileChannel one = use(1);
        FileChannel two = use(2);
        use(1);
        FileChannel three = use(3);

        assertThat(two.isOpen()).isFalse();
        assertThat(one.isOpen()).isTrue();
        assertThat(three.isOpen()).isTrue();
        assertThat(use(1)).isSameAs(one);
        assertThat(opened).containsExactly(1, 2, 3);
        cache.close();
        assertThat(one.isOpen()).isFalse();
        assertThat(three.isOpen()).isFalse();
    }

    @Test
    void neverClosesWhatIsInUse() throws IOException {
        ChannelCache.Lease one = cache.lease(1);
        ChannelCache.Lease two = cache.lease(2);
        FileRange three = cache.lease(3).asRange(7);
        use(4);
        assertThat(one.channel().isOpen()).isTrue();
        assertThat(two.channel().isOpen()).isTrue();
        assertThat(three.channel().isOpen()).isTrue();

        cache.close();
        assertThat(three.channel().isOpen()).isTrue();
        assertThat(three.positionBytes()).isEqualTo(7);
        three.release();
        one.close();
        two.close();
        assertThat(three.channel().isOpen()).isFalse();
        assertThat(one.channel().isOpen()).isFalse();
        assertThatThrownBy(() -> cache.lease(1)).isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    @Test
    void opensAgainWhatAnInterruptClosed() throws IOException {
        use(1).close();
        assertThat(use(1).isOpen()).isTrue();
        assertThat(opened).containsExactly(1, 1);
        cache.close();
    }
}
