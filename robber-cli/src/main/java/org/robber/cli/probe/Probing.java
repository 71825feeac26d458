package org.robber.cli.probe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException.Reason;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.probe.ProbedNetwork.ProbedCluster;
import org.robber.cli.probe.ProbedNetwork.ProbedLink;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.ProbeRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in measuring the network between clusters. Pairs of clusters take their turns, and so do the two directions of a pair: clusters share
 * lines. Up to {@value #MOST_LANES} nodes of each cluster take part, since one connection may not fill a line.
 */
final class Probing {
    private static final Logger LOG = LoggerFactory.getLogger(Probing.class);
    private static final int MOST_LANES = 4;

    /** Begins messages about the file of {@code --save}. */
    static final String SCENARIO = "the scenario of --save cannot be written to ";

    private final ProbeRequest request;
    private final Communicator world;
    private final NodeOutput output;
    private final FailureReporter reporter;

    Probing(ProbeRequest request, Communicator world, NodeOutput output) {
        this.request = request;
        this.world = world;
        this.output = output;
        this.reporter = new FailureReporter(world, () -> "probe");
    }

    /** Takes part; rank 0 delivers the result. */
    void run() {
        if (world.rank() == 0 && request.scenario() != null) {
            // Otherwise minutes of measuring would end without the file.
            reporter.doHere(Reason.USAGE, () -> ProbedNetwork.checkNames(world.clusters()));
        }
        ProbedNetwork network = reporter.orFail(this::measure);
        if (world.rank() == 0) {
            reporter.doHere(Reason.DESTINATION, () -> deliver(network));
        }
        world.control().barrier();
    }

    private ProbedNetwork measure() {
        List<String> names = world.clusters();
        List<List<Integer>> members = new ArrayList<>();
        names.forEach(name -> members.add(new ArrayList<>()));
        for (int rank = 0; rank < world.size(); rank++) {
            members.get(world.clusterOf(rank)).add(rank);
        }
        List<ProbedCluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < names.size(); cluster++) {
            String name = names.get(cluster);
            List<Integer> nodes = members.get(cluster);
            double inside = 0;
            if (nodes.size() > 1) {
                inside = between(nodes.subList(0, 1), nodes.subList(1, 2)).forward();
                LOG.info("inside {}: {}", name, ProbedNetwork.rate(inside));
            }
            clusters.add(new ProbedCluster(name, nodes.size(), inside));
        }
        List<ProbedLink> links = new ArrayList<>();
        for (int from = 0; from < names.size(); from++) {
            for (int to = from + 1; to < names.size(); to++) {
                String one = names.get(from);
                String other = names.get(to);
                LaneRates.Measured measured = between(members.get(from), members.get(to));
                links.add(new ProbedLink(one, other, measured.forward(), measured.roundTripSeconds()));
                links.add(new ProbedLink(other, one, measured.back(), measured.roundTripSeconds()));
                links.subList(links.size() - 2, links.size()).forEach(link -> LOG.info("{}", link.text()));
            }
        }
        return new ProbedNetwork(world.control().clusterOrigin(), clusters, links);
    }

    /** Measures between some nodes and as many others; all nodes get to know the result. */
    private LaneRates.Measured between(List<Integer> ones, List<Integer> others) {
        int lanes = Math.min(MOST_LANES, Math.min(ones.size(), others.size()));
        int[] taking = new int[2 * lanes];
        @Nullable Communicator lane = null;
        for (int i = 0; i < lanes; i++) {
            taking[2 * i] = ones.get(i);
            taking[2 * i + 1] = others.get(i);
            Communicator mine = world.group(ones.get(i), others.get(i)).orElse(null);
            lane = mine == null ? lane : mine;
        }
        @Nullable Communicator all = world.group(taking).orElse(null);
        LaneRates.Measured measured = lane == null || all == null
                ? LaneRates.Measured.NOTHING
                : new LaneRates(lane, all, request.each()).measure();
        byte[] mine = world.rank() == ones.get(0) ? measured.toBytes() : new byte[0];
        List<byte[]> told = world.control().gather(mine);
        byte[] result = new byte[0];
        for (byte[] one : told) {
            result = one.length > 0 ? one : result;
        }
        return LaneRates.Measured.fromBytes(ByteBuffer.wrap(world.control().broadcast(result)));
    }

    private void deliver(ProbedNetwork network) {
        String json = network.json();
        ReportFile.write(request.reportFile(), json, 0, "all is measured");
        if (request.scenario() != null) {
            ReportFile.write(request.scenario(), network.scenario(), 0, SCENARIO, "all is measured");
        }
        (request.format() == OutputFormat.JSON ? json.lines().toList() : network.lines()).forEach(output::result);
    }
}
