package org.robber.transport.job;

import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collective calls on a few bytes: over the control connections, in one round trip to rank 0. The arguments were checked. */
record SmallCollectives(NettyCommunicator world) {
    /** So many bytes of all nodes together are a few. */
    static final int MOST_BYTES = 1 << 16;

    /** @param firstRoot one of the roots, the same at every node */
    void bcast(String call, ByteBuffer data, boolean isRoot, int firstRoot) {
        byte[] all = meet(call, data.remaining(), isRoot ? bytes(data) : new byte[0], payloads -> {
            SameDigest.check(call, payloads);
            return payloads.get(firstRoot);
        });
        if (!isRoot) {
            data.put(data.position(), all);
        }
    }

    void allGather(String call, ByteBuffer part, ByteBuffer all) {
        all.put(all.position(), meet(call, part.remaining(), bytes(part), SmallCollectives::concat));
    }

    /** @param all null everywhere but at the root */
    void gather(String call, ByteBuffer part, @Nullable ByteBuffer all) {
        byte[] gathered = meet(call, part.remaining(), bytes(part), SmallCollectives::concat);
        if (all != null) {
            all.put(all.position(), gathered);
        }
    }

    /** @param all null everywhere but at the root */
    void scatter(String call, @Nullable ByteBuffer all, ByteBuffer part, int root) {
        int partBytes = part.remaining();
        byte[] scattered =
                meet(call, partBytes, all == null ? new byte[0] : bytes(all), payloads -> payloads.get(root));
        part.put(part.position(), scattered, world.rank() * partBytes, partBytes);
    }

    void allToAll(String call, ByteBuffer out, ByteBuffer in) {
        int size = world.size();
        int partBytes = out.remaining() / size;
        byte[] rows = meet(call, partBytes, bytes(out), SmallCollectives::concat);
        for (int row = 0; row < size; row++) {
            in.put(in.position() + row * partBytes, rows, (row * size + world.rank()) * partBytes, partBytes);
        }
    }

    /** Without bytes, the nodes only meet. */
    void meet(String call) {
        meet(call, 0, new byte[0], payloads -> new byte[0]);
    }

    private byte[] meet(String call, int partBytes, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        return world.meetAll(call + ", parts of " + partBytes + " bytes", payload, reply);
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
}
