package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.core.topology.DataPlacement;

/**
 * The collective calls of a communicator on buffers. Data of at most {@value #MOST_SMALL_BYTES} bytes in all go over the control connections,
 * in one round trip to rank 0. Larger data go over channels, which are opened by the first call that needs them.
 */
final class BufferCollectives {
    private static final int MOST_SMALL_BYTES = 1 << 16;

    private final NettyCommunicator world;
    private final AtomicBoolean busy = new AtomicBoolean();
    private @Nullable NettyMulticastChannel passingOn;
    private @Nullable NettyMulticastChannel complete;

    BufferCollectives(NettyCommunicator world) {
        this.world = world;
    }

    /** Every node gets everything that the roots have. */
    void bcast(ByteBuffer data, List<Integer> roots) {
        checkArgument(!roots.isEmpty() && roots.stream().distinct().count() == roots.size(), "roots: %s", roots);
        roots.forEach(this::checkRoot);
        boolean isRoot = roots.contains(world.rank());
        if (!isRoot) {
            checkWritable(data);
        }
        int bytes = data.remaining();
        String call = "bcast from " + (roots.size() == 1 ? "rank " : "ranks ") + join(roots);
        run(call, bytes, 1, () -> {
            if (bytes <= MOST_SMALL_BYTES) {
                int first = roots.get(0);
                byte[] all = meet(call, bytes, isRoot ? bytes(data) : new byte[0], payloads -> payloads.get(first));
                if (!isRoot) {
                    data.put(data.position(), all);
                }
            } else {
                PartLayout layout = layout(1, bytes);
                PartStorage storage = new PartStorage(layout);
                storage.place(0, data, data.position());
                passingOn().exchange(call, storage, layout, DataPlacement.ofRoots(roots, layout.pieceCount()));
            }
        });
    }

    /** Every node gets the parts of all nodes, by rank. */
    void allGather(ByteBuffer part, ByteBuffer all) {
        checkWritable(all);
        int bytes = partBytes(part, all);
        run("allGather", bytes, world.size(), () -> {
            if ((long) bytes * world.size() <= MOST_SMALL_BYTES) {
                all.put(all.position(), meet("allGather", bytes, bytes(part), BufferCollectives::concat));
            } else {
                PartLayout layout = layout(world.size(), bytes);
                copy(part, 0, all, world.rank(), bytes);
                passingOn()
                        .exchange(
                                "allGather",
                                storage(layout, all),
                                layout,
                                DataPlacement.striped(ranks(), layout.pieceCount()));
            }
        });
    }

    /** The root gets the parts of all nodes, by rank. */
    void gather(ByteBuffer part, @Nullable ByteBuffer all, int root) {
        checkRoot(root);
        boolean isRoot = world.rank() == root;
        if (isRoot) {
            checkWritable(present(all));
            partBytes(part, present(all));
        }
        int bytes = part.remaining();
        String call = "gather to rank " + root;
        run(call, bytes, world.size(), () -> {
            if ((long) bytes * world.size() <= MOST_SMALL_BYTES) {
                byte[] gathered = meet(call, bytes, bytes(part), BufferCollectives::concat);
                if (isRoot) {
                    present(all).put(present(all).position(), gathered);
                }
            } else {
                PartLayout layout = layout(world.size(), bytes);
                PartStorage storage = new PartStorage(layout);
                if (isRoot) {
                    copy(part, 0, present(all), root, bytes);
                    storage = storage(layout, present(all));
                } else {
                    storage.place(world.rank(), part, part.position());
                }
                complete().exchange(call, storage, layout, DataPlacement.gather(root, ranks(), layout.pieceCount()));
            }
        });
    }

    /** Each node gets its part, by rank, of what the root has. */
    void scatter(@Nullable ByteBuffer all, ByteBuffer part, int root) {
        checkRoot(root);
        checkWritable(part);
        boolean isRoot = world.rank() == root;
        if (isRoot) {
            partBytes(part, present(all));
        }
        int bytes = part.remaining();
        String call = "scatter from rank " + root;
        run(call, bytes, world.size(), () -> {
            if ((long) bytes * world.size() <= MOST_SMALL_BYTES) {
                byte[] scattered =
                        meet(call, bytes, isRoot ? bytes(present(all)) : new byte[0], payloads -> payloads.get(root));
                part.put(part.position(), scattered, world.rank() * bytes, bytes);
            } else {
                PartLayout layout = layout(world.size(), bytes);
                PartStorage storage = new PartStorage(layout);
                if (isRoot) {
                    copy(present(all), root, part, 0, bytes);
                    storage = storage(layout, present(all));
                } else {
                    storage.place(world.rank(), part, part.position());
                }
                complete().exchange(call, storage, layout, DataPlacement.scatter(root, ranks(), layout.pieceCount()));
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
        int bytes = out.remaining() / size;
        int self = world.rank();
        run("allToAll", bytes, size * size, () -> {
            if ((long) bytes * size * size <= MOST_SMALL_BYTES) {
                byte[] rows = meet("allToAll", bytes, bytes(out), BufferCollectives::concat);
                for (int row = 0; row < size; row++) {
                    in.put(in.position() + row * bytes, rows, (row * size + self) * bytes, bytes);
                }
            } else {
                PartLayout layout = layout(size * size, bytes);
                PartStorage storage = new PartStorage(layout);
                for (int other = 0; other < size; other++) {
                    storage.place(self * size + other, out, out.position() + other * bytes);
                    if (other != self) {
                        storage.place(other * size + self, in, in.position() + other * bytes);
                    }
                }
                copy(out, self, in, self, bytes);
                complete().exchange("allToAll", storage, layout, DataPlacement.allToAll(ranks(), layout.pieceCount()));
            }
        });
    }

    /**
     * Runs a call of this thread alone.
     *
     * @param parts of {@code bytes} each; without bytes, the nodes only meet
     */
    private void run(String call, int bytes, int parts, Runnable body) {
        checkState(
                busy.compareAndSet(false, true),
                "%s: another thread is in a call of this communicator; use one communicator for each thread",
                call);
        try {
            if (bytes == 0) {
                meet(call, 0, new byte[0], payloads -> new byte[0]);
            } else {
                checkArgument(parts >= 1, "too many nodes");
                body.run();
            }
        } finally {
            busy.set(false);
        }
    }

    private byte[] meet(String call, int bytes, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        return world.meet(call + ", parts of " + bytes + " bytes", payload, reply);
    }

    private PartLayout layout(int parts, int bytes) {
        return PartLayout.of(parts, bytes, world.automaticPieceBytes((long) parts * bytes));
    }

    /** All parts are in this buffer. */
    private static PartStorage storage(PartLayout layout, ByteBuffer all) {
        PartStorage storage = new PartStorage(layout);
        for (int part = 0; part < layout.parts(); part++) {
            storage.place(part, all, all.position() + part * layout.partBytes());
        }
        return storage;
    }

    private static void copy(ByteBuffer from, int fromPart, ByteBuffer to, int toPart, int bytes) {
        to.put(to.position() + toPart * bytes, from, from.position() + fromPart * bytes, bytes);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    private static byte[] concat(List<byte[]> parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Ints.checkedCast(parts.stream().mapToLong(part -> part.length).sum()));
        parts.forEach(all::put);
        return all.array();
    }

    private static String join(List<Integer> ranks) {
        return ranks.toString().replaceAll("[\\[\\]]", "");
    }

    private List<Integer> ranks() {
        return IntStream.range(0, world.size()).boxed().toList();
    }

    private void checkRoot(int root) {
        checkElementIndex(root, world.size(), "root rank");
    }

    private static ByteBuffer present(@Nullable ByteBuffer all) {
        checkArgument(all != null, "the root needs a buffer for the data of all nodes");
        return all;
    }

    private static void checkWritable(ByteBuffer buffer) {
        checkArgument(!buffer.isReadOnly(), "nothing can be received into a read-only buffer");
    }

    private int partBytes(ByteBuffer part, ByteBuffer all) {
        checkArgument(
                (long) part.remaining() * world.size() == all.remaining(),
                "the buffer for the data of all nodes holds %s bytes; %s parts of %s bytes are %s",
                all.remaining(),
                world.size(),
                part.remaining(),
                (long) part.remaining() * world.size());
        return part.remaining();
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
