package org.robber.transport.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What launchers really set, or say that they do, kept as files of {@code NAME=VALUE}. */
final class RecordedEnvironment {
    private RecordedEnvironment() {}

    /** A copy that may be changed. */
    static Map<String, String> read(String name) {
        Map<String, String> variables = new TreeMap<>();
        try (InputStream input =
                Objects.requireNonNull(RecordedEnvironment.class.getResourceAsStream(name + ".env"), name)) {
            new String(input.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("=", 2))
                    .forEach(pair -> variables.put(pair[0], pair[1]));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
        return variables;
    }
}
