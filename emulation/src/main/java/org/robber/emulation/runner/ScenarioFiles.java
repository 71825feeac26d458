package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioException;
import org.robber.emulation.scenario.ScenarioReader;

/** Reads scenarios. */
final class ScenarioFiles {

    static final String PHASE = "read scenarios";

    private ScenarioFiles() {}

    /**
     * The scenarios of these files, in their order.
     *
     * @param nodes of each cluster, or 0 for those of the files
     * @throws ExperimentException if a file cannot be read, has an error, or has the name of another scenario
     */
    static ImmutableList<Scenario> read(List<Path> files, int nodes) {
        ImmutableList.Builder<Scenario> scenarios = ImmutableList.builder();
        Map<String, Path> fileOfName = new LinkedHashMap<>();
        for (Path file : files) {
            Scenario scenario = read(file);
            @Nullable Path other = fileOfName.putIfAbsent(scenario.name(), file);
            if (other != null) {
                throw failure(
                        Reason.USAGE,
                        file + ": its scenario is called " + scenario.name() + ", and so is that of " + other
                                + ": give one of them another name",
                        null);
            }
            scenarios.add(checked(file, nodes == 0 ? scenario : scenario.withNodes(nodes)));
        }
        return scenarios.build();
    }

    private static Scenario checked(Path file, Scenario scenario) {
        long count = scenario.clusters().stream()
                .mapToLong(cluster -> cluster.nodes())
                .sum();
        if (count > Topology.MAX_NODES) {
            throw failure(
                    Reason.USAGE,
                    file + ": " + count + " nodes, of at most " + Topology.MAX_NODES + ": take fewer",
                    null);
        }
        return scenario;
    }

    private static Scenario read(Path file) {
        if (!Files.isRegularFile(file)) {
            String what = Files.exists(file) ? "is not a file" : "there is no such file";
            throw failure(Reason.SOURCE, file + ": " + what, null);
        }
        if (!Files.isReadable(file)) {
            throw failure(Reason.SOURCE, file + ": no permission to read it", null);
        }
        try {
            return ScenarioReader.read(file);
        } catch (ScenarioException e) {
            throw failure(Reason.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static ExperimentException failure(Reason reason, String message, @Nullable Throwable cause) {
        return new ExperimentException(reason, PHASE, message, cause);
    }
}
