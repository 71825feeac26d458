package org.robber.transport.collective.shared;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.data.StorageFailure;

/**
 * A movement through {@link SharedWindows}. Each owner shows its parts that others want, one after the other. Few owners use the windows of the others, too. Each part has one
 * owner.
 */
final class SharedMovement implements SharedRounds {
    private final Movement movement;
    private final SharedWindows windows;
    private final List<Shown> outgoing = new ArrayList<>();
    private final List<Shown> incoming = new ArrayList<>();

    /** The owners that show something, in the order of their ranks. */
    private final ImmutableList<Integer> owners;

    /** How many windows each of them uses. */
    private final int windowsOfOwner;

    private final int count;

    /**
     * A part in what its owner shows.
     *
     * @param place where this node reads or writes it
     * @param from where it begins in what the owner shows in all rounds together
     */
    private record Shown(int owner, Region place, long from) {}

    /**
     * The bytes of a part that are shown in a round.
     *
     * @param offset where it begins in the part
     * @param memory where it is shown
     */
    private record Slice(Shown part, long offset, ByteBuffer memory) {}

    SharedMovement(Movement movement, SharedWindows windows) {
        this.movement = movement;
        this.windows = windows;
        long[] shown = new long[movement.size()];
        long most = 0;
        ImmutableList<Part> parts = inTheirOrder();
        for (Part part : parts) {
            int owner = part.owners().get(0);
            Region source = part.source();
            Region target = part.target();
            if (owner == movement.rank() && source != null) {
                outgoing.add(new Shown(owner, source, shown[owner]));
            } else if (owner != movement.rank() && target != null) {
                incoming.add(new Shown(owner, target, shown[owner]));
            }
            shown[owner] += part.sizeBytes();
            most = Math.max(most, shown[owner]);
        }
        this.owners = parts.stream()
                .map(part -> part.owners().get(0))
                .distinct()
                .sorted()
                .collect(ImmutableList.toImmutableList());
        this.windowsOfOwner = owners.isEmpty() ? 1 : movement.size() / owners.size();
        this.count = Ints.checkedCast(
                LongMath.divide(most, (long) windowsOfOwner * windows.halfBytes(), RoundingMode.CEILING));
    }

    /** The parts that others want. Those for one member after the owner come first, so not all owners show something for the same member. */
    private ImmutableList<Part> inTheirOrder() {
        return movement.parts().stream()
                .filter(part -> part.sizeBytes() > 0
                        && movement.othersThatWant(part).findAny().isPresent())
                .sorted(Comparator.comparing(part -> Math.floorMod(
                        movement.othersThatWant(part).findFirst().orElseThrow()
                                - part.owners().get(0),
                        movement.size())))
                .collect(ImmutableList.toImmutableList());
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void show(int round) {
        for (Slice slice : slices(outgoing, round)) {
            try {
                slice.part.place.read(slice.offset, slice.memory);
            } catch (IOException e) {
                throw new StorageFailure(Reason.SOURCE, e);
            }
        }
    }

    @Override
    public long copy(int round) {
        long copied = 0;
        for (Slice slice : slices(incoming, round)) {
            copied += slice.memory.remaining();
            try {
                slice.part.place.write(slice.offset, slice.memory);
            } catch (IOException e) {
                throw new StorageFailure(Reason.DESTINATION, e);
            }
        }
        return copied;
    }

    /** The bytes of these parts that are shown in a round. */
    private List<Slice> slices(List<Shown> parts, int round) {
        List<Slice> slices = new ArrayList<>();
        for (int number = 0; number < windowsOfOwner; number++) {
            long begin = ((long) round * windowsOfOwner + number) * windows.halfBytes();
            for (Shown part : parts) {
                long first = Math.max(begin, part.from);
                long end = Math.min(begin + windows.halfBytes(), part.from + part.place.sizeBytes());
                if (first < end) {
                    ByteBuffer half = windows.half(owners.indexOf(part.owner) * windowsOfOwner + number, round);
                    slices.add(
                            new Slice(part, first - part.from, half.slice((int) (first - begin), (int) (end - first))));
                }
            }
        }
        return slices;
    }

    @Override
    public long ownBytes() {
        return movement.parts().stream()
                .filter(part -> part.source() != null && part.target() != null)
                .mapToLong(Part::sizeBytes)
                .sum();
    }

    @Override
    public void end() {
        movement.copyOwn();
    }
}
