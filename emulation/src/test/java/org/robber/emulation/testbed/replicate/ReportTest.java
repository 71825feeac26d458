package org.robber.emulation.testbed.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;

class ReportTest {

    private static final Scenario SCENARIO = HandMade.scenario("two", 2, 1);
    private static final String NODE = "{'rank':1,'name':'B-1','status':'STATUS','seconds':1.25,"
            + "'bytes_received_local':10,'bytes_received_wan':5000000000,'control_bytes_sent':7,'pieces_stolen_wan':3,"
            + "'slowest':true}";

    @Test
    void readsWhatItNeeds() {
        Report report = Report.parse(json("complete", ""), SCENARIO);

        assertThat(report.seconds()).isEqualTo(1.5);
        assertThat(report.problem()).isEmpty();
        // the last node: its time is that of the job
        assertThat(report.nodes()).containsExactly(new NodeRun(1, 1_500_000_000L, 10, 5_000_000_000L, 3, 7));
        assertThat(report.stolen()).containsExactly(Map.entry(new ClusterPair(0, 1), 5_000_000_000L));
    }

    @Test
    void failuresSayWhy() {
        Report report = Report.parse(
                json("failed", ",'error':{'reason':'network','ranks':[1],'message':'B-1 is lost'}"), SCENARIO);

        assertThat(report.problem()).isEqualTo("B-1 is lost");
        assertThat(report.nodes().get(0).completeNanos()).isEqualTo(-1);
    }

    @Test
    void nodesThatNothingIsReportedOfHaveNothing() {
        Report report = new Report(0, "there is no report", ImmutableList.of(), ImmutableSortedMap.of());

        assertThat(report.allNodes(2)).containsExactly(new NodeRun(0, -1, 0, 0, 0, 0), new NodeRun(1, -1, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"nodes\":[]}",
                "{\"nodes\":[{}],\"links\":[]}",
                "{\"nodes\":[]",
                "{\"seconds\":1,\"nodes\":[],\"links\":[{\"from\":\"A\",\"to\":\"C\",\"bytes\":1}]}"
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse(text, SCENARIO))
                .withMessageStartingWith("not a report");
    }

    private static String json(String status, String more) {
        return ("{'schema':1,'seconds':1.5,'nodes':[" + NODE.replace("STATUS", status)
                        + "],'links':[{'from':'A','to':'B','bytes':5000000000}],'skipped':[]" + more + "}")
                .replace('\'', '"');
    }
}
