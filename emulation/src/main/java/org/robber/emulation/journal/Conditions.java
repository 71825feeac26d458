package org.robber.emulation.journal;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioWriter;

/**
 * The conditions of runs. Only runs with the same conditions can be compared.
 *
 * @param begun when the first run began; only this may differ
 * @param settings options and versions: names as users know them, and values
 * @param scenarios digests of the scenarios, by name; scenarios may be added
 */
record Conditions(Instant begun, ImmutableMap<String, String> settings, ImmutableMap<String, String> scenarios) {

    static Conditions of(Instant begun, Map<String, String> settings, List<Scenario> scenarios) {
        ImmutableMap.Builder<String, String> digests = ImmutableMap.builder();
        scenarios.forEach(scenario -> digests.put(scenario.name(), digest(scenario)));
        return new Conditions(begun, ImmutableMap.copyOf(settings), digests.buildOrThrow());
    }

    private static String digest(Scenario scenario) {
        return Hashing.sha256()
                .hashString(ScenarioWriter.text(scenario), StandardCharsets.UTF_8)
                .toString();
    }

    /** The differences from the conditions of today, for people; empty if runs are comparable. */
    String differences(Conditions today) {
        StringJoiner differences = new StringJoiner(", ");
        ImmutableSortedSet<String> names = ImmutableSortedSet.<String>naturalOrder()
                .addAll(settings.keySet())
                .addAll(today.settings.keySet())
                .build();
        for (String name : names) {
            String before = settings.getOrDefault(name, "unknown");
            String now = today.settings.getOrDefault(name, "unknown");
            if (!before.equals(now)) {
                differences.add(name + " was " + before + " and is " + now);
            }
        }
        scenarios.forEach((name, digest) -> {
            if (!today.scenarios.getOrDefault(name, digest).equals(digest)) {
                differences.add("the scenario " + name + " has changed");
            }
        });
        return differences.toString();
    }

    /** These conditions with more scenarios. */
    Conditions with(Map<String, String> moreScenarios) {
        Map<String, String> all = new LinkedHashMap<>(scenarios);
        all.putAll(moreScenarios);
        return new Conditions(begun, settings, ImmutableMap.copyOf(all));
    }
}
