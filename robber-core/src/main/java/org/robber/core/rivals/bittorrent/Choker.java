package org.robber.core.rivals.bittorrent;

import static java.util.Comparator.comparingInt;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;

/**
 * Decides who may request: of the neighbours that are interested, the four that gave most in the last 20 s, and one at
 * random so that newcomers get a chance. A node that has everything goes by what it gave instead, which favours those
 * that take fastest.
 *
 * <p>Everything is decided anew every 10 s, the one at random every 30 s. In between, a free place goes at once to an interested neighbour.
 */
final class Choker {
    /** Time between two decisions. */
    static final long PERIOD_NANOS = 10_000_000_000L;

    /** The one at random stays for so many periods. */
    static final int OPTIMISTIC_PERIODS = 3;

    /** Places for those that gave most. */
    static final int REGULAR_PLACES = 4;

    private final Neighbours neighbours;
    private final SeededRandom random;
    private final Outbox outbox;
    private @Nullable Neighbour optimistic;
    private int periods;

    Choker(Neighbours neighbours, SeededRandom random, Outbox outbox) {
        this.neighbours = neighbours;
        this.random = random;
        this.outbox = outbox;
    }

    /**
     * A period is over.
     *
     * @param complete whether this node possesses everything
     */
    void rechoke(boolean complete) {
        periods++;
        ToIntFunction<Neighbour> merit = complete ? Neighbour::sent : Neighbour::received;
        // A stable sort after a shuffle: equal merit is decided by chance.
        List<Neighbour> candidates = shuffled(wishingToRequest());
        candidates.sort(comparingInt(merit).reversed());
        List<Neighbour> regular = candidates.subList(0, Math.min(REGULAR_PLACES, candidates.size()));
        List<Neighbour> others = candidates.subList(regular.size(), candidates.size());
        if (periods % OPTIMISTIC_PERIODS == 0 || !others.contains(optimistic)) {
            optimistic = others.isEmpty() ? null : others.get(random.nextInt(others.size()));
        }
        for (Neighbour neighbour : neighbours.all()) {
            if (neighbour.isOpen()) {
                setChoked(neighbour, !regular.contains(neighbour) && neighbour != optimistic);
            }
            neighbour.nextPeriod();
        }
    }

    /** A neighbour became interested, or a place may have become free. */
    void fillFreePlaces() {
        List<Neighbour> candidates = wishingToRequest();
        long taken = candidates.stream().filter(neighbour -> !neighbour.choked).count();
        for (Neighbour neighbour : shuffled(candidates)) {
            if (taken <= REGULAR_PLACES && neighbour.choked) {
                setChoked(neighbour, false);
                taken++;
            }
        }
    }

    private List<Neighbour> wishingToRequest() {
        return neighbours.all().stream()
                .filter(neighbour -> neighbour.isOpen() && neighbour.interested)
                .toList();
    }

    private List<Neighbour> shuffled(List<Neighbour> some) {
        List<Neighbour> order = new ArrayList<>();
        for (int place : random.permutation(some.size())) {
            order.add(some.get(place));
        }
        return order;
    }

    private void setChoked(Neighbour neighbour, boolean choked) {
        if (neighbour.choked != choked) {
            neighbour.choked = choked;
            outbox.send(neighbour.peer(), choked ? new Message.Choke() : new Message.Unchoke());
        }
    }
}
