package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Link;

/**
 * The bytes between clusters, summed over the nodes that received them.
 *
 * @param names of the clusters
 */
record Traffic(List<String> names, List<Part> parts) {

    /**
     * One node's part.
     *
     * @param cluster index of the cluster that it is in
     * @param received bytes from each cluster, or from the first few
     */
    record Part(int cluster, List<Long> received) {}

    /** @param sentBytes of the data, without what all nodes had already */
    List<Cluster> clusters(long sentBytes) {
        List<Cluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < names.size(); cluster++) {
            int nodes = 0;
            long entered = 0;
            for (Part part : parts) {
                if (part.cluster == cluster) {
                    nodes++;
                    entered += sum(part.received) - entry(part.received, cluster);
                }
            }
            double wanCopies = sentBytes == 0 ? 0 : (double) entered / sentBytes;
            clusters.add(new Cluster(names.get(cluster), nodes, entered, wanCopies));
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
                for (Part part : parts) {
                    crossed += part.cluster == to ? entry(part.received, from) : 0;
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
