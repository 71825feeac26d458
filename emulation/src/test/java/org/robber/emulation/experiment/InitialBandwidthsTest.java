package org.robber.emulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

class InitialBandwidthsTest {

    @Test
    void theyAreThoseOfTheFirstPhaseAndOfEveryLimit() {
        Scenario scenario = ScenarioReader.parse("test.json", """
                {"name": "test", "root": "A/0",
                 "clusters": [
                   {"name": "A", "nodes": 2, "access_up": 7, "node_up": [1, 2], "nic": "wan"},
                   {"name": "B", "nodes": 1}],
                 "links": {"A-B": {"mbps": 10, "delay_ms": 10}},
                 "phases": [{"at": 5, "links": {"A-B": {"mbps": 3}}}]}
                """);

        assertThat(InitialBandwidths.of(scenario))
                .hasToString(
                        "links {A={B=1.0E7}, B={A=0.0}}, clusters {"
                                + "A=Limits[accessUp=7000000.0, accessDown=Infinity, cardsUp=[1000000.0, 2000000.0],"
                                + " cardsDown=[Infinity, Infinity]], "
                                + "B=Limits[accessUp=Infinity, accessDown=Infinity, cardsUp=[Infinity], cardsDown=[Infinity]]}");
    }
}
