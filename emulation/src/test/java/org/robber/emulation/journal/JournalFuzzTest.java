package org.robber.emulation.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

/**
 * Fuzz target for the lines of a comparison's journal. An ordinary build replays the inputs kept among the test resources; with
 * {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class JournalFuzzTest {
    private static final Scenario PAIR = ScenarioReader.parse("pair", """
            {"name": "pair", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
             "links": {"A-B": {"mbps": 4}, "B-A": {"mbps": 4}}}
            """);

    @FuzzTest(maxDuration = "1m")
    void line(byte[] bytes) {
        JournalLine line;
        try {
            line = JournalLine.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            return;
        }
        begin(line);
        run(line);
    }

    /** What is no beginning is refused as a journal refuses it; what is one says the same when it is written again. */
    private static void begin(JournalLine line) {
        Conditions conditions;
        try {
            conditions = JournalLines.parseBegin(line);
        } catch (IllegalArgumentException | ArithmeticException refused) {
            return;
        }
        assertThat(JournalLines.parseBegin(JournalLine.parse(JournalLines.begin(conditions))))
                .isEqualTo(conditions);
    }

    private static void run(JournalLine line) {
        RunResult result;
        try {
            result = JournalLines.parseRun(line, PAIR);
        } catch (IllegalArgumentException | ArithmeticException refused) {
            return;
        }
        assertThat(JournalLines.parseRun(JournalLine.parse(JournalLines.run(result)), PAIR))
                .isEqualTo(result);
    }
}
