package org.robber.bench.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.LocalJob;
import org.robber.Robber;

class CollectiveNodeTest {
    private static final String CASES = "barrier:0:2,bcast:100000:1,allGather:100000:1,gather:8000:1,scatter:100000:1,"
            + "allToAll:160000:1,reduce:100000:1,allReduce:8:2,allReduce:100000:1,reduceScatter:80000:1,scan:8:1,exScan:100000:1,stream:20000000:1,"
            + "multicast:1024:2,multicast:600000:1";

    @Test
    void everyCallIsTimedAndChecked() {
        Map<Integer, List<String>> lines = new ConcurrentHashMap<>();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world ->
                    lines.put(world.rank(), CollectiveNode.run(world, ChannelOptions.defaults(), CASES, 0.01)));
        }
        assertThat(lines.get(0))
                .hasSize(15)
                .allSatisfy(line -> assertThat(line).matches("[a-zA-Z]+ \\d+( \\d+\\.\\d){3}( \\d+\\.\\d)?"));
        assertThat(lines.get(0).get(12)).as("with the memory").matches("stream 20000000( \\d+\\.\\d){4}");
        assertThat(lines.get(0).get(3)).startsWith("gather 8000 ");
    }

    @Test
    void strategiesAreComparedOverConnections() {
        assertThat(CollectiveNode.options("robber", false)).isEqualTo(ChannelOptions.defaults());
        ChannelOptions options = CollectiveNode.options("robber", true);
        assertThat(options.sharesMemory()).isFalse();
        assertThat(options.pieceBytes()).isPositive();
    }

    @Test
    void fewerBytesThanNodesAreRefused() {
        try (LocalJob job = Robber.local(2, 2)) {
            assertThatThrownBy(() -> job.run(
                            world -> CollectiveNode.run(world, ChannelOptions.defaults(), "allToAll:15:1", 0.01)))
                    .hasStackTraceContaining("allToAll of 15 bytes among 4 nodes: at least 16 are needed");
        }
    }

    @Test
    void wrongCasesAreRefused() {
        assertThatThrownBy(() -> CollectiveCase.parse("barrier:0")).hasMessage("barrier:0: expected CALL:BYTES:TIMES");
    }
}
