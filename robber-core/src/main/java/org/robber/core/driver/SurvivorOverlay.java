package org.robber.core.driver;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayRepair;
import org.robber.core.topology.Topology;

/**
 * Which connections there should be after losses. Every driver computes the same from the same losses, in whatever order it hears
 * of them. Not thread-safe.
 */
public final class SurvivorOverlay {
    private final Topology topology;
    private final Overlay planned;
    private final TreeSet<Integer> lost = new TreeSet<>();
    private @Nullable Overlay repaired;

    /**
     * No node is lost.
     *
     * @param planned as the strategy planned it, with all nodes
     */
    public SurvivorOverlay(Topology topology, Overlay planned) {
        this.topology = topology;
        this.planned = planned;
    }

    /**
     * Which of two peers makes their connection: the one of higher rank. The other waits for it.
     *
     * @return whether {@code rank} connects to {@code peer}
     */
    public static boolean dials(int rank, int peer) {
        return rank > peer;
    }

    /**
     * A node is lost for good.
     *
     * @return false if that was known
     */
    public boolean lose(int rank) {
        boolean isNew = lost.add(rank);
        if (isNew) {
            repaired = null;
        }
        return isNew;
    }

    /** The lost nodes, in ascending order; a view. */
    public Iterable<Integer> lost() {
        return lost;
    }

    /**
     * The overlay of those that are left: planned connections and their replacements. Connections that an earlier loss made
     * necessary, and this overlay does not have, are kept.
     */
    public Overlay current() {
        Overlay current = repaired;
        if (current == null) {
            current = lost.isEmpty() ? planned : OverlayRepair.repair(topology, planned, lost);
            repaired = current;
        }
        return current;
    }
}
