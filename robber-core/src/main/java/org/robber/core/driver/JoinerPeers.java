package org.robber.core.driver;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Topology;

/**
 * Which members a node that joins connects to: a few of its own cluster, drawn at random, and members of other clusters only if
 * none of its own is left.
 */
public final class JoinerPeers {
    /** Connections that a joiner has at a time, where there are as many members. */
    public static final int MOST_PEERS = 5;

    /**
     * What to do now.
     *
     * @param connectTo members to connect to, in this order
     * @param isAnyLeft whether a member is left that the joiner can get pieces from
     * @param inOwnCluster whether the members are of the joiner's own cluster
     */
    public record Choice(ImmutableList<Integer> connectTo, boolean isAnyLeft, boolean inOwnCluster) {}

    private JoinerPeers() {}

    /**
     * Chooses as many as are missing.
     *
     * @param members how many nodes were there from the start: the first by rank
     * @param joiner its rank
     * @param isGone which members are lost, or of no use
     * @param isBusy which members the joiner is connected to, or will be, or must not connect to for now
     */
    public static Choice choose(
            Topology topology, int members, int joiner, IntPredicate isGone, IntPredicate isBusy, SeededRandom random) {
        List<Integer> candidates = left(topology, members, joiner, isGone, true);
        boolean inOwnCluster = !candidates.isEmpty();
        if (!inOwnCluster) {
            candidates = left(topology, members, joiner, isGone, false);
        }
        boolean isAnyLeft = !candidates.isEmpty();
        int all = candidates.size();
        candidates.removeIf(isBusy::test);
        int wanted = Math.min(candidates.size(), Math.max(0, MOST_PEERS - (all - candidates.size())));
        ImmutableList.Builder<Integer> chosen = ImmutableList.builder();
        for (int i = 0; i < wanted; i++) {
            chosen.add(candidates.remove(random.nextInt(candidates.size())));
        }
        return new Choice(chosen.build(), isAnyLeft, inOwnCluster);
    }

    private static List<Integer> left(
            Topology topology, int members, int joiner, IntPredicate isGone, boolean inOwnCluster) {
        List<Integer> left = new ArrayList<>();
        for (int member = 0; member < members; member++) {
            if (!isGone.test(member) && topology.sameCluster(member, joiner) == inOwnCluster) {
                left.add(member);
            }
        }
        return left;
    }
}
