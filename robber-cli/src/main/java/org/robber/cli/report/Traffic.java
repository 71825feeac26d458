package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Link;
import org.robber.cli.report.JobReport.Node;

/**
 * The bytes between clusters, summed over the nodes that received them.
 *
 * @param names of the clusters
 */
record Traffic(List<String> names, List<Node> nodes) {

    /** @param sentBytes of the data, without what all nodes had already */
    List<Cluster> clusters(long sentBytes) {
        List<Cluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < names.size(); cluster++) {
            int members = 0;
            long entered = 0;
            for (Node node : nodes) {
                if (node.clusterIndex() == cluster) {
                    members++;
                    entered += node.bytesReceivedWan();
                }
            }
            double wanCopies = sentBytes == 0 ? 0 : (double) entered / sentBytes;
            clusters.add(new Cluster(names.get(cluster), members, entered, wanCopies));
        }
        return clusters;
    }

    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                if (from == to) {
                    continue;
                }
                long crossed = 0;
                for (Node node : nodes) {
                    List<Long> received = node.result().stats().bytesReceivedFromCluster();
                    crossed += node.clusterIndex() == to ? entry(received, from) : 0;
                }
                links.add(new Link(names.get(from), names.get(to), crossed));
            }
        }
        return links;
    }

    static long entry(List<Long> bytesByCluster, int cluster) {
        return cluster < bytesByCluster.size() ? bytesByCluster.get(cluster) : 0;
    }

    static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
