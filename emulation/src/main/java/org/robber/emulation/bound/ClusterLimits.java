package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.NicScope;

/**
 * A cluster as a single point of the wide-area network: the limits of its lines, cards and LAN, in bytes per second. Let
 * {@code r} be the rate at which every node is to receive, {@code in}, {@code out} and {@code local} what enters, leaves and
 * stays inside. Then, whatever the strategy:
 *
 * <ul>
 *   <li>{@code out <= wanUp} and {@code in <= wanDown}: the access line, and the sum of the cards;
 *   <li>{@code local <= lan}: the LAN as a whole, and the sums of what nodes send into it and take from it;
 *   <li>{@code local + out <= cardsUp}, where cards carry both. They receive no more than they need, so the other direction needs
 *       no such rule;
 *   <li>{@code in + local >= receivers * r}: a node receives from other clusters or from members of its own;
 *   <li>{@code local >= k * r - (sum of the k slowest cards)} for all k: where the LAN is a network of its own, other members bring
 *       the pieces that slow cards cannot fetch;
 *   <li>{@code r <= mostRate}: every node receives, and the root sends, no faster than its card, or its card and the LAN;
 *   <li>for the root's cluster, {@code r <= out + rootLan}, {@code r <= out + local}, {@code r <= rootCard + local}: every byte
 *       that a node receives has left the root; and {@code r <= in + fromRoot}: other members receive from the root or from other
 *       clusters
 * </ul>
 *
 * <p>Work inside the cluster can be divided freely: fast nodes can do that of slow ones.
 *
 * @param wanUp most that leaves the cluster
 * @param wanDown most that enters it
 * @param lan most that stays inside
 * @param cardsUp sum of cards that carry local traffic too; infinite if they do not
 * @param mostRate most that a node of the cluster can receive, and the root send
 * @param receivers nodes that receive: all but the root
 * @param slowestCards rates of the receivers' cards from slow to fast, where they do not carry local traffic; else empty
 * @param hasRoot whether the root is here
 * @param rootCard what the root's card sends, where it does not carry local traffic; else infinite
 * @param rootLan what the root can put into the LAN
 * @param fromRoot what the root can give another member over the LAN
 */
record ClusterLimits(
        double wanUp,
        double wanDown,
        double lan,
        double cardsUp,
        double mostRate,
        int receivers,
        ImmutableList<Double> slowestCards,
        boolean hasRoot,
        double rootCard,
        double rootLan,
        double fromRoot) {

    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /**
     * The limits of a cluster.
     *
     * @param root index of the root in this cluster; negative if it is elsewhere
     */
    static ClusterLimits of(ClusterSpec cluster, int root) {
        boolean shared = cluster.nic() == NicScope.ALL;
        boolean alone = cluster.nodes() == 1;
        List<Double> receiving = new ArrayList<>(cluster.nodeDown());
        if (root >= 0) {
            receiving.remove(root);
        }
        Collections.sort(receiving);
        double sends = 0;
        for (double up : cluster.nodeUp()) {
            sends += Math.min(cluster.lanUp(), shared ? up : UNLIMITED);
        }
        double takes = 0;
        for (double down : receiving) {
            takes += Math.min(cluster.lanDown(), shared ? down : UNLIMITED);
        }
        double lan = alone ? 0 : Math.min(cluster.lan(), Math.min(sends, takes));
        double rootLan = alone ? 0 : cluster.lanUp();
        double fromRoot = alone ? 0 : Math.min(cluster.lanUp(), cluster.lanDown());
        double mostRate = shared
                ? receiving.stream().mapToDouble(down -> down).min().orElse(UNLIMITED)
                : slowestRate(receiving, cluster);
        if (root >= 0) {
            double card = cluster.nodeUp().get(root);
            mostRate = Math.min(mostRate, shared ? card : card + rootLan);
        }
        return new ClusterLimits(
                Math.min(cluster.accessUp(), sum(cluster.nodeUp())),
                Math.min(cluster.accessDown(), sum(cluster.nodeDown())),
                lan,
                shared ? sum(cluster.nodeUp()) : UNLIMITED,
                mostRate,
                receiving.size(),
                shared ? ImmutableList.of() : ImmutableList.copyOf(receiving),
                root >= 0,
                root >= 0 && !shared ? cluster.nodeUp().get(root) : UNLIMITED,
                rootLan,
                fromRoot);
    }

    /**
     * The rate that the slowest nodes can receive, where cards carry no local traffic: for every count, their cards and the LAN together.
     */
    private static double slowestRate(List<Double> receiving, ClusterSpec cluster) {
        double most = UNLIMITED;
        double cards = 0;
        for (int count = 1; count <= receiving.size(); count++) {
            cards += receiving.get(count - 1);
            int others = cluster.nodes() - count;
            double fromOthers = others == 0 ? 0 : Math.min(others * cluster.lanUp(), cluster.lan());
            most = Math.min(most, cards + Math.min(fromOthers, count * cluster.lanDown()));
        }
        return most;
    }

    /**
     * Whether local traffic can limit the rate.
     *
     * @param rate at which every node receives at most
     * @param mostOut what leaves the cluster at most
     */
    boolean localMatters(double rate, double mostOut) {
        double mostLocal = receivers * rate;
        return receivers + (hasRoot ? 1 : 0) > 1
                && (lan < mostLocal || cardsUp < mostLocal + mostOut || (hasRoot && fromRoot < rate));
    }

    /** Whether nothing inside the cluster has a limit, or nothing is sent there. */
    boolean isLocalFree() {
        return receivers + (hasRoot ? 1 : 0) == 1
                || (Double.isInfinite(lan) && Double.isInfinite(cardsUp) && !(hasRoot && fromRoot < UNLIMITED));
    }

    private static double sum(List<Double> rates) {
        return rates.stream().mapToDouble(rate -> rate).sum();
    }
}
