package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.SendLimits;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import org.robber.cli.request.ProbeRequest;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;

/** A node gets what was asked for, whatever it is. */
class NodeOrderCodecTest {

    private static final JobPlace PLACE = new JobPlace(3, 5, "B", "10.0.0.7", 4711);
    private static final String NETWORK = """
            {"name": "two", "origin": "reconstruction", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 2}, {"name": "B", "nodes": 2}],
             "links": {"A-B": {"mbps": 10, "delay_ms": 10}, "B-A": {"mbps": 20, "delay_ms": 10}},
             "phases": []}
            """;

    private static NodeOrder order(TimeLimit deadline) {
        ChannelOptions channel = ChannelOptions.defaults()
                .withStrategy("mob")
                .withPieceBytes(4096)
                .withDigest("sha256")
                .withMemoryBytes(8L << 20)
                .withRequestWindow(7)
                .withBandwidths(new BandwidthFile("a network", NETWORK).map())
                .withOnLoss(OnLoss.COMPLETE_SURVIVORS);
        ReplicateRequest request = Requests.of("a source\u00e9/", "B-1/", channel)
                .selection(new Selection(List.of(new RuleText(Kind.EXCLUDE_FROM, "rules")), "list", true))
                .losses(new LossPolicy(OnFailure.CONTINUE, new MinSuccess(90, true)))
                .deadline(deadline)
                .json(Path.of("report.json"))
                .restart()
                .root(2)
                .stateFolder(Path.of("/state"))
                .absent(new AbsentNode("node7", "B", "no route to host"))
                .request();
        NetworkSettings network = new NetworkSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                new SendLimits(10, 5, /* yields= */ true),
                new DataAddress("eth1", 7000, 7015),
                "bbr",
                List.of("A-0", "2"),
                ClusterBy.RTT);
        BandwidthFile bandwidths = new BandwidthFile("a network", NETWORK);
        return new NodeOrder("job", PLACE, request, bandwidths, network, true, Detail.QUIET);
    }

    @Test
    void everyPartArrives() {
        NodeOrder order = order(null);

        // maps of bandwidths are compared by their text
        assertThat(NodeOrderCodec.fromText(NodeOrderCodec.toText(order))).hasToString(order.toString());
        assertThat(NodeOrderCodec.toText(order)).matches("[\\w+/=]+");
    }

    @Test
    void soDoesAnOrderToMeasure() {
        ProbeRequest probe = new ProbeRequest(
                Duration.ofSeconds(3), Path.of("network.json"), OutputFormat.JSON, Path.of("report.json"), null);
        NodeOrder order = order(null).at(PLACE, probe);

        assertThat(NodeOrderCodec.fromText(NodeOrderCodec.toText(order)).request())
                .isEqualTo(probe);
    }

    @Test
    void soDoesAnOrderToVerify() {
        VerifyRequest verify = new VerifyRequest(
                "/scratch/{node}", false, true, Path.of("/state"), OutputFormat.JSON, Path.of("report.json"), null);
        NodeOrder order = order(null).at(PLACE, verify);

        assertThat(NodeOrderCodec.fromText(NodeOrderCodec.toText(order)).request())
                .isEqualTo(verify);
    }

    @Test
    void theDeadlineGoesOnCounting() {
        TimeLimit deadline = TimeLimit.resumed(Duration.ofHours(2), Duration.ofHours(1), System::nanoTime);
        TimeLimit arrived = NodeOrderCodec.fromText(NodeOrderCodec.toText(order(deadline)))
                .request()
                .deadline();

        assertThat(arrived.length()).isEqualTo(Duration.ofHours(2));
        assertThat(arrived.left()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void otherTextIsRefused() {
        assertThatThrownBy(() -> NodeOrderCodec.fromText("c29tZXRoaW5n")).isInstanceOf(IllegalArgumentException.class);
    }
}
