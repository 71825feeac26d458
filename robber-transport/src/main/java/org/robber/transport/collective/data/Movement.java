package org.robber.transport.collective.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.Group;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;

/**
 * The data of one call, as parts: who has and who wants each. All members have the same parts in the same order, each with its own places
 * of them.
 *
 * @param rank of this node in the group
 * @param size number of members
 */
public record Movement(int rank, int size, ImmutableList<Part> parts) {

    /** The bytes that all owners bring together. */
    public long broughtBytes() {
        long brought = 0;
        for (Part part : parts) {
            brought = Math.addExact(brought, Math.multiplyExact(part.sizeBytes(), (long)
                    part.owners().size()));
        }
        return brought;
    }

    /** The members other than its owner that want a part. */
    public IntStream othersThatWant(Part part) {
        int owner = part.owners().get(0);
        ImmutableList<Integer> wanters = part.wanters();
        IntStream all =
                wanters == null ? IntStream.range(0, size) : wanters.stream().mapToInt(each -> each);
        return all.filter(each -> each != owner);
    }

    /** The size of the data. */
    public long totalBytes() {
        return parts.stream().mapToLong(Part::sizeBytes).sum();
    }

    /** The parts that this node owns, one after the other. */
    public byte[] payload() {
        long bytes = 0;
        for (Part part : parts) {
            Region source = part.source();
            bytes += source == null ? 0 : source.sizeBytes();
        }
        ByteBuffer payload = ByteBuffer.allocate(Ints.checkedCast(bytes));
        for (Part part : parts) {
            Region source = part.source();
            if (source != null) {
                source.appendTo(payload);
            }
        }
        return payload.array();
    }

    /**
     * Brings to their place the parts that this node wants, out of the payloads of all members by rank.
     *
     * @param group the members, for failures
     * @throws org.robber.RobberException if owners of a part have different data
     */
    public void place(String call, List<byte[]> payloads, Group group) {
        int[] taken = new int[size];
        for (Part part : parts) {
            int owner = part.owners().get(0);
            if (part.owners().size() > 1) {
                DifferentData.check(call, copies(part, payloads, taken), group);
            }
            Region target = part.target();
            if (target != null) {
                target.fill(ByteBuffer.wrap(payloads.get(owner)), taken[owner]);
            }
            for (int each : part.owners()) {
                taken[each] += (int) part.sizeBytes();
            }
        }
    }

    /** A part as each of its owners has it, by rank; empty for others. */
    private List<byte[]> copies(Part part, List<byte[]> payloads, int[] from) {
        List<byte[]> copies = new ArrayList<>(Collections.nCopies(size, new byte[0]));
        part.owners()
                .forEach(each -> copies.set(
                        each, Arrays.copyOfRange(payloads.get(each), from[each], from[each] + (int) part.sizeBytes())));
        return copies;
    }

    /** Copies the parts that this node has and wants in another place. */
    public void copyOwn() {
        for (Part part : parts) {
            Region source = part.source();
            Region target = part.target();
            if (source != null && target != null) {
                target.copyFrom(source);
            }
        }
    }

    /** Whether this node can read and write its places without being blocked. */
    public boolean isInMemory() {
        for (Part part : parts) {
            if (!isInMemory(part.source()) || !isInMemory(part.target())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isInMemory(@Nullable Region region) {
        return region == null || region.isInMemory();
    }

    /**
     * Who has and who wants the pieces.
     *
     * @param mostRelayedBytes memory for pieces that this node brings for others
     */
    public DataPlacement placement(PartLayout layout, long mostRelayedBytes) {
        List<Range> holdings = new ArrayList<>();
        List<Range> wants = new ArrayList<>();
        boolean all = true;
        for (int number = 0; number < parts.size(); number++) {
            Part part = parts.get(number);
            int first = layout.firstPiece(number);
            int end = layout.endPiece(number);
            part.owners().forEach(owner -> holdings.add(new Range(owner, first, end)));
            ImmutableList<Integer> wanters = part.wanters();
            if (wanters != null) {
                all = false;
                wanters.forEach(wanter -> wants.add(new Range(wanter, first, end)));
            }
        }
        return new DataPlacement(layout.pieceCount(), holdings, all ? null : wants)
                .withRelays(Ints.saturatedCast(mostRelayedBytes / layout.pieceBytes()));
    }
}
