package org.robber.emulation.testbed;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableMap;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** Small networks for tests of the testbed. */
final class Networks {

    private Networks() {}

    /** Skips the test where there can be no testbed; says why. */
    static void assumePossible() {
        assumeThat(TestbedRequirements.missing())
                .as("what keeps testbeds from running here")
                .isEmpty();
    }

    /** A scenario of these clusters and links, as in a file but with single quotes. */
    static Scenario of(String clusters, String links) {
        return of(clusters, links, "");
    }

    /** A scenario of these clusters, links and phases. */
    static Scenario of(String clusters, String links, String phases) {
        String json = "{'name':'test','root':'A/0','clusters':[" + clusters + "],'links':{" + links + "},'phases':["
                + phases + "]}";
        return ScenarioReader.parse("test", json.replace('\'', '"'));
    }

    /** A command for every node. */
    static ExecCommand command(String text) {
        return new ExecCommand(text, ImmutableMap.of());
    }

    /** A testbed in which programs need little memory. */
    static Testbed open(Scenario scenario) {
        return Testbed.open(scenario, TestbedOptions.forData(0, scenario.nodeCount()));
    }
}
