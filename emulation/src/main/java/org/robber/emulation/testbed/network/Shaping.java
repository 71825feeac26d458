package org.robber.emulation.testbed.network;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.scenario.NicScope;

/**
 * Limits of a device's sending: in all, to or from the cluster's own network, and to or from elsewhere. In bytes per second; {@link
 * Double#POSITIVE_INFINITY} is no limit.
 *
 * <p>HTB with a class for local traffic and one for the rest, below a class for both. Address resolution has a class of its
 * own: behind a queue of a slow card it would time out. Queues are counted in bytes and hold 50 ms, but no less than the first
 * burst of a connection.
 */
record Shaping(double total, double local, double outside) {

    private static final double QUEUE_SECONDS = 0.05;
    private static final long SMALLEST_QUEUE_BYTES = 16 * 9014L;

    /** The address that tells whether a packet is local: the destination at a node, the source at a router. */
    enum Side {
        DESTINATION("dst"),
        SOURCE("src");

        private final String keyword;

        Side(String keyword) {
            this.keyword = keyword;
        }
    }

    /** Limits of one direction of a node's card. */
    static Shaping card(double card, NicScope scope, double lan) {
        return scope == NicScope.ALL
                ? new Shaping(card, lan, Double.POSITIVE_INFINITY)
                : new Shaping(Double.POSITIVE_INFINITY, lan, card);
    }

    /** The commands that make a device keep to this; none if it has no limit. */
    ImmutableList<String> script(String namespace, String device, Side side, String subnet) {
        if (Double.isInfinite(total) && Double.isInfinite(local) && Double.isInfinite(outside)) {
            return ImmutableList.of();
        }
        String tc = "tc -n " + namespace + " ";
        String dev = " dev " + device + " ";
        ImmutableList.Builder<String> script = ImmutableList.builder();
        script.add("ip -n " + namespace + " link set" + dev + "gso_max_segs 1");
        script.add(tc + "qdisc replace" + dev + "root handle 1: htb default 3");
        script.add(tc + "class add" + dev + "parent 1: classid 1:1 htb " + rates(total, total));
        // a class may always send at its own rate: together they must not have more than the class above them
        leaf(script, tc, dev, 2, local);
        leaf(script, tc, dev, 3, outside);
        script.add(tc + "class add" + dev + "parent 1: classid 1:4 htb " + rates(125_000, 1_250_000));
        script.add(tc + "filter add" + dev + "parent 1: protocol arp prio 1 u32 match u32 0 0 flowid 1:4");
        script.add(tc + "filter add" + dev + "parent 1: protocol ip prio 2 u32 match ip " + side.keyword + " " + subnet
                + " flowid 1:2");
        return script.build();
    }

    private void leaf(ImmutableList.Builder<String> script, String tc, String dev, int id, double limit) {
        double ceiling = Math.min(limit, total);
        double own = Math.min(ceiling, (Double.isInfinite(total) ? HtbRates.UNLIMITED : total) / 2);
        script.add(tc + "class add" + dev + "parent 1:1 classid 1:" + id + " htb " + rates(own, ceiling));
        if (!Double.isInfinite(ceiling)) {
            script.add(tc + "qdisc add" + dev + "parent 1:" + id + " handle " + id + "0: bfifo limit "
                    + Math.max(SMALLEST_QUEUE_BYTES, Math.round(ceiling * QUEUE_SECONDS)));
        }
    }

    private static String rates(double rate, double ceiling) {
        return HtbRates.text(Math.min(rate, HtbRates.UNLIMITED), Math.min(ceiling, HtbRates.UNLIMITED));
    }
}
