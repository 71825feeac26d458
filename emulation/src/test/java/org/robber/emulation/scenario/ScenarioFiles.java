package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The scenario files that the project keeps. */
public final class ScenarioFiles {
    private static final Path FOLDER = Path.of("scenarios");

    private ScenarioFiles() {}

    /** All of them. */
    public static ImmutableList<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .collect(ImmutableList.toImmutableList());
        }
    }

    /** One of them, by the name of the scenario. */
    public static Scenario read(String name) {
        return ScenarioReader.read(FOLDER.resolve(name + ".json"));
    }
}
