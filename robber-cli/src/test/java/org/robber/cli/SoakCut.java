package org.robber.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.testbed.network.AddressPlan;

/**
 * Where the network of a job in the testbed is cut, and for how long.
 *
 * @param kind what is cut
 * @param first of {@link Kind#CARD}, the rank of the node; else the number of a cluster
 * @param second the number of the other cluster
 * @param millis how long; {@link #FOREVER}: until all have ended
 */
record SoakCut(Kind kind, int first, int second, long millis) {

    static final long FOREVER = Long.MAX_VALUE;

    /** Nothing is cut. */
    static final SoakCut NONE = new SoakCut(Kind.CARD, 0, 0, 0);

    /** TCP has found its way again three times as long after it at the latest, well before anybody is taken for lost. */
    private static final long MOST_SHORT_MILLIS = 2500;

    private static final long MOST_LONG_MILLIS = 25_000;

    enum Kind {
        /** The cable of a node. */
        CARD,
        /** The link between two clusters, in both directions. */
        LINK,
        /** What the first cluster sends to the second; the way back is open. */
        ONE_WAY
    }

    /** A cut in a network of clusters whose nodes have consecutive ranks; at least two clusters. */
    static SoakCut of(SplittableRandom random, List<String> clusters) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int count = names(clusters).size();
        int first = random.nextInt(kind == Kind.CARD ? clusters.size() : count);
        int second = (first + 1 + random.nextInt(count - 1)) % count;
        return new SoakCut(kind, first, kind == Kind.CARD ? 0 : second, millis(random));
    }

    private static long millis(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextLong(MOST_SHORT_MILLIS);
            case 1 -> random.nextLong(MOST_SHORT_MILLIS, MOST_LONG_MILLIS);
            default -> FOREVER;
        };
    }

    boolean isShort() {
        return millis < MOST_SHORT_MILLIS;
    }

    /**
     * Who may be lost by it: nodes that rank 0 does not hear, or that do not hear rank 0. If that is all others by the card of
     * rank 0, it is rank 0. A short cut costs no node, nor does one between two clusters that rank 0 is in neither of.
     */
    List<Integer> losses(List<String> clusters) {
        if (isShort()) {
            return List.of();
        }
        if (kind == Kind.CARD) {
            return List.of(first);
        }
        if (first != 0 && second != 0) {
            return List.of();
        }
        String away = names(clusters).get(Math.max(first, second));
        return IntStream.range(0, clusters.size())
                .filter(rank -> clusters.get(rank).equals(away))
                .boxed()
                .toList();
    }

    /** The commands that cut it. */
    List<String> cutScript(List<NodePlace> places) {
        return kind == Kind.CARD ? List.of(port(places, "down")) : routes("add");
    }

    /** The commands that mend it. */
    List<String> healScript(List<NodePlace> places) {
        return kind == Kind.CARD ? List.of(port(places, "up")) : routes("del");
    }

    /** The other end of the node's cable: the card keeps its addresses and routes, as one does whose cable was pulled. */
    private String port(List<NodePlace> places, String state) {
        NodePlace place = places.get(first);
        return "ip -n " + AddressPlan.router(place.cluster()) + " link set " + AddressPlan.port(place) + " " + state;
    }

    /** What has a more precise route than the one to the other clusters: into nothing. */
    private List<String> routes(String verb) {
        List<String> script = new ArrayList<>(List.of(route(verb, first, second)));
        if (kind == Kind.LINK) {
            script.add(route(verb, second, first));
        }
        return script;
    }

    private static String route(String verb, int from, int to) {
        return "ip -n " + AddressPlan.router(from) + " route " + verb + " blackhole " + AddressPlan.subnet(to);
    }

    private static List<String> names(List<String> clusters) {
        return List.copyOf(new LinkedHashSet<>(clusters));
    }

    @Override
    public String toString() {
        String where = kind == Kind.CARD ? "card of rank " + first : kind + " " + first + "-" + second;
        return where + (millis == FOREVER ? " for ever" : " for " + millis + " ms");
    }
}
