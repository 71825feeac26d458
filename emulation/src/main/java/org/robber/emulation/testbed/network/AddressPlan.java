package org.robber.emulation.testbed.network;

import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.Sandbox;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * Addresses and names: cluster 0 has the network 10.1.0.0/16, its router 10.1.255.254, its nodes 10.1.0.1,
 * 10.1.0.2 and so on, 250 in each third byte. Names of namespaces and devices are made of numbers, because those of clusters
 * may be anything.
 */
public final class AddressPlan {

    /** Packet size everywhere, in bytes. */
    public static final int MTU = 9000;

    /** Every cluster's network is part of this. */
    public static final String EVERYTHING = "10.0.0.0/8";

    /** A node's only device. */
    public static final String NODE_DEVICE = "eth0";

    /** A router's device towards its cluster. */
    public static final String BRIDGE = "lan";

    private static final int MOST_CLUSTERS = 250;
    private static final int NODES_PER_BYTE = 250;
    private static final int MOST_NODES = 255 * NODES_PER_BYTE;

    private AddressPlan() {}

    /** Refuses scenarios that are too large for the addresses. */
    static void check(Scenario scenario) {
        if (scenario.clusters().size() > MOST_CLUSTERS) {
            throw new TestbedException("more than " + MOST_CLUSTERS + " clusters");
        }
        for (ClusterSpec cluster : scenario.clusters()) {
            if (cluster.nodes() > MOST_NODES) {
                throw new TestbedException("more than " + MOST_NODES + " nodes in " + cluster.name());
            }
        }
    }

    /** Address of a node. */
    public static String address(NodePlace place) {
        return prefix(place.cluster()) + place.index() / NODES_PER_BYTE + "." + (place.index() % NODES_PER_BYTE + 1);
    }

    /** Address of a cluster's router, as its nodes see it. */
    public static String gateway(int cluster) {
        return prefix(cluster) + "255.254";
    }

    /** Network of a cluster. */
    public static String subnet(int cluster) {
        return prefix(cluster) + "0.0/16";
    }

    /** Namespace of a node. */
    public static String node(int rank) {
        return "n" + rank;
    }

    /** Namespace of a cluster's router. */
    public static String router(int cluster) {
        return "r" + cluster;
    }

    /** The router's device towards a node. */
    public static String port(NodePlace place) {
        return "p" + place.index();
    }

    /** The router's device towards the other clusters. */
    public static String wanDevice(int cluster) {
        return "wan" + cluster;
    }

    /** Folder in which a router shows its devices. */
    static String counters(int cluster) {
        return Sandbox.DATA + "/counters/" + router(cluster);
    }

    /** File with the number of bytes that a node has received, Ethernet headers included. */
    public static String receivedCounter(NodePlace place) {
        return counters(place.cluster()) + "/class/net/" + port(place) + "/statistics/tx_bytes";
    }

    private static String prefix(int cluster) {
        return "10." + (cluster + 1) + ".";
    }
}
