package org.robber.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** The network of a random job in the testbed, that can be cut while the job runs. */
final class SoakNet implements AutoCloseable {

    private static final int LEAST_MBPS = 4;
    private static final int MOST_MBPS = 16;
    private static final int MOST_DELAY_MILLIS = 20;

    private final Testbed testbed;
    private final SoakCut cut;

    private SoakNet(Testbed testbed, SoakCut cut) {
        this.testbed = testbed;
        this.cut = cut;
    }

    /** Whether this user may make one here. */
    static boolean isPossible() {
        return TestbedRequirements.missing().isEmpty();
    }

    /** Makes it: links of one rate and delay, drawn from the job's seed. */
    static SoakNet open(SoakJob job) {
        Scenario scenario = ScenarioReader.parse("soak", scenario(job));
        // nodes write to the test's folder, not to memory
        TestbedOptions options = TestbedOptions.forData(0, scenario.nodeCount());
        return new SoakNet(Testbed.open(scenario, options), job.harm().cut());
    }

    private static String scenario(SoakJob job) {
        SplittableRandom random = new SplittableRandom(job.seed());
        String line = "{\"mbps\": " + random.nextInt(LEAST_MBPS, MOST_MBPS + 1) + ", \"delay_ms\": "
                + (1 + random.nextInt(MOST_DELAY_MILLIS)) + "}";
        List<String> clusters = new ArrayList<>();
        List<String> links = new ArrayList<>();
        List<String> names = List.copyOf(new LinkedHashSet<>(job.clusters()));
        for (String name : names) {
            long nodes = job.clusters().stream().filter(name::equals).count();
            clusters.add("{\"name\": \"" + name + "\", \"nodes\": " + nodes + "}");
            for (String other : names) {
                if (!other.equals(name)) {
                    links.add("\"" + name + "-" + other + "\": " + line);
                }
            }
        }
        return "{\"name\": \"soak\", \"root\": \"" + names.get(0) + "/0\", \"clusters\": ["
                + String.join(", ", clusters) + "], \"links\": {" + String.join(", ", links) + "}}";
    }

    /** The command as it is to be run by this process, so that it runs on this node. */
    List<String> onNode(int rank, List<String> command) {
        return testbed.command(rank, new NodeProgram(ImmutableList.copyOf(command), ImmutableMap.of()))
                .command();
    }

    /** Where the processes of a job meet. */
    String uri() {
        return "robber://soak@" + testbed.address(0) + ":7000";
    }

    /** Cuts it, and mends it after the time of the cut, if there is one, or once the job has ended. */
    void cutWhile(BooleanSupplier running) throws InterruptedException {
        testbed.shell(cut.cutScript(testbed.places()));
        if (cut.millis() == SoakCut.FOREVER) {
            return;
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(cut.millis());
        while (running.getAsBoolean() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        testbed.shell(cut.healScript(testbed.places()));
    }

    @Override
    public void close() {
        testbed.close();
    }
}
