package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;
import static com.google.common.base.Preconditions.checkState;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.core.topology.DataPlacement;

/**
 * The collective calls of a communicator on buffers. A few bytes go over the control connections ({@link SmallCollectives}). Larger data
 * go over channels, which the first call that needs them opens.
 */
final class BufferCollectives {
    private static final int MOST_NAMED_ROOTS = 16;

    private final NettyCommunicator world;
    private final SmallCollectives small;
    private final AtomicBoolean busy = new AtomicBoolean();
    private @Nullable NettyMulticastChannel passingOn;
    private @Nullable NettyMulticastChannel complete;

    BufferCollectives(NettyCommunicator world) {
        this.world = world;
        this.small = new SmallCollectives(world);
    }

    /** Every node gets everything that the roots have. */
    void bcast(ByteBuffer data, List<Integer> roots) {
        checkArgument(!roots.isEmpty() && roots.stream().distinct().count() == roots.size(), "roots: %s", roots);
        roots.forEach(this::checkRoot);
        boolean isRoot = roots.contains(world.rank());
        if (!isRoot) {
            checkWritable(data);
        }
        String call = "bcast from " + name(roots);
        run(call, 1, data.remaining(), () -> small.bcast(call, data, isRoot, roots.get(0)), layout -> {
            DataPlacement placement = DataPlacement.ofRoots(roots, layout.pieceCount());
            passingOn().exchange(call, PartStorage.of(layout, data), layout, placement);
        });
    }

    /** Every node gets the parts of all nodes, by rank. */
    void allGather(ByteBuffer part, ByteBuffer all) {
        checkWritable(all);
        checkSize(part, all);
        String call = "allGather";
        run(call, world.size(), part.remaining(), () -> small.allGather(call, part, all), layout -> {
            copy(part, 0, all, world.rank(), layout.partBytes());
            DataPlacement placement = DataPlacement.striped(ranks(), layout.pieceCount());
            passingOn().exchange(call, PartStorage.of(layout, all), layout, placement);
        });
    }

    /** The root gets the parts of all nodes, by rank. */
    void gather(ByteBuffer part, @Nullable ByteBuffer all, int root) {
        ByteBuffer whole = ofRoot(part, all, root);
        if (whole != null) {
            checkWritable(whole);
        }
        String call = "gather to rank " + root;
        run(call, world.size(), part.remaining(), () -> small.gather(call, part, whole), layout -> {
            if (whole != null) {
                copy(part, 0, whole, root, layout.partBytes());
            }
            DataPlacement placement = DataPlacement.gather(root, ranks(), layout.pieceCount());
            complete().exchange(call, storage(layout, part, whole), layout, placement);
        });
    }

    /** Each node gets its part, by rank, of what the root has. */
    void scatter(@Nullable ByteBuffer all, ByteBuffer part, int root) {
        checkWritable(part);
        ByteBuffer whole = ofRoot(part, all, root);
        String call = "scatter from rank " + root;
        run(call, world.size(), part.remaining(), () -> small.scatter(call, whole, part, root), layout -> {
            DataPlacement placement = DataPlacement.scatter(root, ranks(), layout.pieceCount());
            complete().exchange(call, storage(layout, part, whole), layout, placement);
            // Last, because the part may be a slice of what the others get.
            if (whole != null) {
                copy(whole, root, part, 0, layout.partBytes());
            }
        });
    }

    /** Each node gets its part of what every node has: part r of {@code in} is part {@code rank()} of the {@code out} of rank r. */
    void allToAll(ByteBuffer out, ByteBuffer in) {
        checkWritable(in);
        int size = world.size();
        checkArgument(
                out.remaining() == in.remaining() && out.remaining() % size == 0,
                "%s bytes to send and %s to receive are not equal multiples of %s nodes",
                out.remaining(),
                in.remaining(),
                size);
        checkArgument(!overlap(out, in), "allToAll needs other memory to receive than to send");
        int self = world.rank();
        String call = "allToAll";
        run(
                call,
                Math.multiplyExact(size, size),
                out.remaining() / size,
                () -> small.allToAll(call, out, in),
                layout -> {
                    PartStorage storage = new PartStorage(layout);
                    for (int other = 0; other < size; other++) {
                        storage.place(self * size + other, out, out.position() + other * layout.partBytes());
                        if (other != self) {
                            storage.place(other * size + self, in, in.position() + other * layout.partBytes());
                        }
                    }
                    copy(out, self, in, self, layout.partBytes());
                    complete().exchange(call, storage, layout, DataPlacement.allToAll(ranks(), layout.pieceCount()));
                });
    }

    /** The name of a call is short, so many ranks are told apart by their number and a hash. */
    private static String name(List<Integer> roots) {
        if (roots.size() == 1) {
            return "rank " + roots.get(0);
        }
        return roots.size() <= MOST_NAMED_ROOTS
                ? "ranks " + roots.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : roots.size() + " ranks (hash " + Integer.toHexString(roots.hashCode()) + ")";
    }

    private interface LargeCall {
        void run(PartLayout layout);
    }

    /** Runs a call, of this thread alone, in the way that its size needs. */
    private void run(String call, int parts, int partBytes, Runnable smallCall, LargeCall largeCall) {
        checkState(
                busy.compareAndSet(false, true),
                "%s: another thread is in a call of this communicator; a communicator serves one thread at a time",
                call);
        try {
            long bytes = (long) parts * partBytes;
            if (bytes == 0) {
                small.meet(call);
            } else if (bytes <= SmallCollectives.MOST_BYTES) {
                smallCall.run();
            } else {
                largeCall.run(PartLayout.of(parts, partBytes, world.automaticPieceBytes(bytes)));
            }
        } finally {
            busy.set(false);
        }
    }

    /** Whether both are known to share bytes; of memory outside of the heap that is known only of one buffer given twice. */
    @SuppressWarnings("ReferenceEquality") // the same memory is asked for, not the same bytes
    private static boolean overlap(ByteBuffer out, ByteBuffer in) {
        if (out == in) {
            return true;
        }
        if (!out.hasArray() || !in.hasArray() || out.array() != in.array()) {
            return false;
        }
        int distance = (in.arrayOffset() + in.position()) - (out.arrayOffset() + out.position());
        return Math.abs(distance) < out.remaining();
    }

    /** At the root, the buffer for the data of all nodes; elsewhere null. */
    private @Nullable ByteBuffer ofRoot(ByteBuffer part, @Nullable ByteBuffer all, int root) {
        checkRoot(root);
        if (world.rank() != root) {
            return null;
        }
        checkArgument(all != null, "the root needs a buffer for the data of all nodes");
        checkSize(part, all);
        return all;
    }

    private PartStorage storage(PartLayout layout, ByteBuffer part, @Nullable ByteBuffer whole) {
        if (whole != null) {
            return PartStorage.of(layout, whole);
        }
        PartStorage storage = new PartStorage(layout);
        storage.place(world.rank(), part, part.position());
        return storage;
    }

    private static void copy(ByteBuffer from, int fromPart, ByteBuffer to, int toPart, int partBytes) {
        to.put(to.position() + toPart * partBytes, from, from.position() + fromPart * partBytes, partBytes);
    }

    private List<Integer> ranks() {
        return IntStream.range(0, world.size()).boxed().toList();
    }

    private void checkRoot(int root) {
        checkElementIndex(root, world.size(), "root rank");
    }

    private static void checkWritable(ByteBuffer buffer) {
        checkArgument(!buffer.isReadOnly(), "nothing can be received into a read-only buffer");
    }

    private void checkSize(ByteBuffer part, ByteBuffer all) {
        long bytes = (long) part.remaining() * world.size();
        checkArgument(
                bytes == all.remaining(),
                "the buffer for the data of all nodes holds %s bytes; %s parts of %s bytes are %s",
                all.remaining(),
                world.size(),
                part.remaining(),
                bytes);
    }

    /** The channel for calls in which all nodes want everything. */
    private NettyMulticastChannel passingOn() {
        NettyMulticastChannel open = passingOn;
        if (open == null) {
            open = world.openChannel(ChannelOptions.defaults(), /* complete= */ false);
            passingOn = open;
        }
        return open;
    }

    /** The channel for calls in which nodes want parts. */
    private NettyMulticastChannel complete() {
        NettyMulticastChannel open = complete;
        if (open == null) {
            open = world.openChannel(ChannelOptions.defaults(), /* complete= */ true);
            complete = open;
        }
        return open;
    }
}
