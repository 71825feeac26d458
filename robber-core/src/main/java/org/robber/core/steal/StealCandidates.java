package org.robber.core.steal;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.peer.Peer;
import org.robber.core.random.SeededRandom;

/** The cluster mates that announced work and have not answered a steal with empty work since. */
final class StealCandidates {
    private final List<Peer> mates = new ArrayList<>();

    void add(Peer mate) {
        if (!mates.contains(mate)) {
            mates.add(mate);
        }
    }

    void remove(Peer mate) {
        mates.remove(mate);
    }

    boolean isEmpty() {
        return mates.isEmpty();
    }

    boolean contains(Peer mate) {
        return mates.contains(mate);
    }

    /** One of them, all equally likely. */
    Peer pick(SeededRandom random) {
        return mates.get(random.nextInt(mates.size()));
    }
}
