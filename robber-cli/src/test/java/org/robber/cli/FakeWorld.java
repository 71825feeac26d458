package org.robber.cli;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.robber.Communicator;

/** Nodes that can be named, but not talked to. */
public final class FakeWorld {
    private FakeWorld() {}

    /** Rank 0 of clusters A, B, ... of equal size. */
    public static Communicator of(int clusterCount, int nodesPerCluster) {
        List<String> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < clusterCount; cluster++) {
            clusters.add(String.valueOf((char) ('A' + cluster)));
        }
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(),
                new Class<?>[] {Communicator.class},
                (proxy, method, arguments) -> {
                    int rank = arguments != null && arguments[0] instanceof Integer given ? given : 0;
                    return switch (method.getName()) {
                        case "rank" -> 0;
                        case "size" -> clusterCount * nodesPerCluster;
                        case "clusters" -> clusters;
                        case "clusterOf" -> rank / nodesPerCluster;
                        case "nodeName" -> clusters.get(rank / nodesPerCluster) + "-" + rank % nodesPerCluster;
                        case "hostName" -> "host" + rank;
                        case "lost" -> Map.of();
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }
}
