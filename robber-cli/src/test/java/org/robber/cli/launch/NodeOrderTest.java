package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.SendLimits;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.replicate.LossPolicy;
import org.robber.cli.replicate.LossPolicy.OnFailure;
import org.robber.cli.replicate.MinSuccess;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.cli.replicate.TimeLimit;
import org.robber.cli.report.OutputFormat;
import org.robber.core.topology.BandwidthMap;

/** A node gets what was asked for, whatever it is. */
class NodeOrderTest {

    private static NodeOrder order(TimeLimit deadline) {
        ChannelOptions channel = new ChannelOptions(
                "mob", 4096, "sha256", 8L << 20, 7, BandwidthMap.unknown(), OnLoss.COMPLETE_SURVIVORS);
        ReplicateRequest request = new ReplicateRequest(
                "a source\u00e9/",
                "B-1/",
                channel,
                new LossPolicy(OnFailure.CONTINUE, new MinSuccess(90, true)),
                deadline,
                OutputFormat.JSON,
                Path.of("report.json"),
                false,
                true,
                Path.of("/state"));
        NetworkLimits network = new NetworkLimits(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3), new SendLimits(10, 5));
        return new NodeOrder("job", request, null, network, true, Detail.QUIET);
    }

    @Test
    void everyPartArrives() {
        NodeOrder order = order(null);

        assertThat(NodeOrder.fromText(order.toText())).isEqualTo(order);
        assertThat(order.toText()).matches("[\\w+/=]+");
    }

    @Test
    void theDeadlineGoesOnCounting() {
        TimeLimit deadline = TimeLimit.resumed(Duration.ofHours(2), Duration.ofHours(1), System::nanoTime);
        TimeLimit arrived =
                NodeOrder.fromText(order(deadline).toText()).request().deadline();

        assertThat(arrived.length()).isEqualTo(Duration.ofHours(2));
        assertThat(arrived.left()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void otherTextIsRefused() {
        assertThatThrownBy(() -> NodeOrder.fromText("c29tZXRoaW5n")).isInstanceOf(IllegalArgumentException.class);
    }
}
