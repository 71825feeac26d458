package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.data.ElementType;
import org.robber.transport.collective.data.Elements;
import org.robber.transport.collective.data.Movements;
import org.robber.transport.collective.data.Region;

/**
 * Broadcasts of data of which only the root knows the size. The root says number and type of its elements, and brings them along if they are few. The
 * others say for how many they have room.
 */
public final class RootSizedCalls {
    private static final int HEADER_BYTES = 1 + Long.BYTES;
    private static final byte ANY_TYPE = -1;

    private final CallRunner runner;
    private final Movements movements;
    private final int rank;
    private final int size;

    public RootSizedCalls(CallRunner runner) {
        this.runner = runner;
        this.rank = runner.member().rank();
        this.size = runner.member().size();
        this.movements = new Movements(rank, size);
    }

    /**
     * What a member says.
     *
     * @param type of its elements; null if it makes room for any
     * @param count of the root's elements, or for how many there is room
     */
    private record Said(@Nullable ElementType type, long count) {
        static Said of(byte[] bytes) {
            ByteBuffer header = ByteBuffer.wrap(bytes);
            byte type = header.get();
            return new Said(type == ANY_TYPE ? null : ElementType.ofCode(type), header.getLong());
        }

        byte[] bytes(int dataBytes) {
            return ByteBuffer.allocate(HEADER_BYTES + dataBytes)
                    .put(type == null ? ANY_TYPE : type.code())
                    .putLong(count)
                    .array();
        }
    }

    /** As {@link org.robber.Communicator#iBcastUpTo}. */
    public Operation<Long> bcastUpTo(Object data, int root) {
        DataCalls.checkRoot(root, size);
        Elements place = Elements.of("data", data);
        if (rank != root) {
            place.checkWritable("data");
        }
        boolean mayBlock = !place.all().isInMemory();
        return bcast(root, place, rootCount -> place, mayBlock, rootCount -> rootCount);
    }

    /** As {@link org.robber.Communicator#iBcast(Object, java.util.function.IntFunction, int)} and {@code iBcastStorage}. */
    public <T> Operation<T> bcast(@Nullable T data, LongFunction<? extends T> allocator, int root) {
        DataCalls.checkRoot(root, size);
        Elements given = rank == root ? Elements.of("data", data) : null;
        AtomicReference<@Nullable T> made = new AtomicReference<>(data);
        LongFunction<Elements> place = count -> {
            T room = allocator.apply(count);
            Elements elements = Elements.of("what the allocator has made", room).checkWritable("what it has made");
            made.set(room);
            return elements;
        };
        return bcast(root, given, place, /* mayBlock= */ true, rootCount -> Objects.requireNonNull(made.get()));
    }

    /**
     * @param given what the root has, or where there is room; null if room is made
     * @param place makes room for so many elements
     * @param result of the call, by the number of the root's elements, once it has ended
     */
    private <T> Operation<T> bcast(
            int root,
            @Nullable Elements given,
            LongFunction<Elements> place,
            boolean mayBlock,
            LongFunction<T> result) {
        String call = "bcast from rank " + root + " of a size that it knows";
        AtomicLong count = new AtomicLong();
        return runner.move(
                call,
                () -> said(given, rank == root),
                all -> {
                    Said ofRoot = Said.of(all.get(root));
                    count.set(ofRoot.count);
                    checkRoom(call, all, root, ofRoot);
                    byte[] brought = all.get(root);
                    boolean few = brought.length > HEADER_BYTES || ofRoot.count == 0;
                    if (rank == root && given != null) {
                        return few ? movements.none() : movements.bcast(given.all(), ImmutableList.of(root));
                    }
                    Region target = target(call, ofRoot, place);
                    if (few) {
                        target.fill(ByteBuffer.wrap(brought), HEADER_BYTES);
                        return movements.none();
                    }
                    return movements.bcast(target, ImmutableList.of(root));
                },
                mayBlock,
                () -> result.apply(count.get()));
    }

    private static byte[] said(@Nullable Elements given, boolean isRoot) {
        if (given == null) {
            return new Said(null, Long.MAX_VALUE).bytes(0);
        }
        Region all = given.all();
        boolean few = isRoot && all.sizeBytes() <= CallRunner.MOST_MEETING_BYTES;
        byte[] said = new Said(given.type(), given.count()).bytes(few ? (int) all.sizeBytes() : 0);
        if (few) {
            all.appendTo(ByteBuffer.wrap(said).position(HEADER_BYTES));
        }
        return said;
    }

    /** All members find the same. */
    private void checkRoom(String call, List<byte[]> all, int root, Said ofRoot) {
        for (int member = 0; member < size; member++) {
            Said said = Said.of(all.get(member));
            if (said.count < ofRoot.count) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(worldRank(member), worldRank(root)),
                        call,
                        "rank " + worldRank(member) + " has room for " + said.count + " elements in '" + call
                                + "', and rank " + worldRank(root) + " has " + ofRoot.count);
            }
            if (said.type != null && said.type != ofRoot.type) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(worldRank(member), worldRank(root)),
                        call,
                        "rank " + worldRank(member) + " has elements of type " + said.type + " in '" + call
                                + "', and rank " + worldRank(root) + " of type " + ofRoot.type);
            }
        }
    }

    private int worldRank(int member) {
        return runner.member().worldRank(member);
    }

    private Region target(String call, Said ofRoot, LongFunction<Elements> place) {
        try {
            Elements elements = place.apply(ofRoot.count);
            if (elements.type() == ofRoot.type && elements.count() >= ofRoot.count) {
                return elements.part(0, ofRoot.count);
            }
            throw noRoom(
                    call,
                    "it has made " + elements.describe() + ", and the root has " + ofRoot.count + " " + ofRoot.type,
                    null);
        } catch (RobberException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw noRoom(call, e.toString(), e);
        }
    }

    private RobberException noRoom(String call, String why, @Nullable Throwable cause) {
        return new RobberException(
                Reason.USAGE,
                List.of(worldRank(rank)),
                call,
                "the allocator of rank " + worldRank(rank) + " has failed in '" + call + "': " + why,
                cause);
    }
}
