package org.robber.emulation.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.io.Resources;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;

class JournalTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(3600);
    private static final Map<String, String> SETTINGS = Map.of("version", "1.0 (build 12)", "--size", "600");

    private final Scenario fast = HandMade.scenario("fast", 3, 2);
    private final Scenario odd = HandMade.scenario("of our \"own\", and <odd>", 2, 1);
    private final RunResult first = kept(HandMade.withRecovery(
            HandMade.run(fast, "robber", 1, 50)
                    .withBeside(
                            List.of(HandMade.run(fast, "robber", 1, 51), HandMade.run(fast, "robber", 1, 60, "stuck"))),
            new Recovery(new ClusterPair(0, 1), 1, 2, -1)));
    private final RunResult second =
            kept(HandMade.withCpu(HandMade.run(odd, "mob", -2, 60, "rank 1 has 3 of 573,\n\"stuck\""), 7));

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void namesTheFile() {
        file = folder.resolve("journal.jsonl");
    }

    @Test
    void whatWasAppendedIsFoundAgainAsItWas() throws Exception {
        write(first, second);

        try (Journal journal = open()) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1))).hasValue(first);
            assertThat(journal.find(new RunPlan(odd, "mob", -2))).hasValue(second);
            assertThat(journal.find(new RunPlan(fast, "robber", 2))).isEmpty();
            assertThat(journal.find(new RunPlan(fast, "mob", 1))).isEmpty();
            assertThat(journal.begun()).as("as the first of all runs").isEqualTo(NOW);
        }
    }

    @Test
    void everyLineIsAsTheSchemaSays() throws Exception {
        try (Journal journal = open(SETTINGS, fast)) {
            journal.append(first);
        }
        write(second);

        List<String> lines = Files.readAllLines(file);
        assertThat(lines)
                .hasSize(4)
                .allSatisfy(line -> assertThat(problems(line)).isEmpty());
        assertThat(problems(lines.get(3).replace("\"seed\"", "\"sead\""))).isNotEmpty();
    }

    @Test
    void aLineThatWasBeingWrittenAtTheEndIsCutOffWhereverThatWas() throws Exception {
        write(first);
        byte[] whole = Files.readAllBytes(file);
        write(second);
        byte[] more = Files.readAllBytes(file);

        for (int length = whole.length; length < more.length; length += 37) {
            Files.write(file, java.util.Arrays.copyOf(more, length));
            try (Journal journal = open()) {
                assertThat(journal.find(new RunPlan(fast, "robber", 1))).hasValue(first);
                assertThat(journal.find(new RunPlan(odd, "mob", -2))).isEmpty();
                journal.append(second);
            }
            assertThat(file).hasBinaryContent(more);
        }
    }

    @Test
    void aFirstLineThatWasNotWrittenToItsEndIsNoJournalYet() throws Exception {
        Files.writeString(file, "{\"type\":\"begin\",\"sch");

        write(first);

        try (Journal journal = open()) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1))).hasValue(first);
        }
    }

    @Test
    void otherConditionsAreNamedAllOfThem() throws Exception {
        write(first);

        assertThatThrownBy(() -> open(Map.of("version", "1.0 (build 13)", "--size", "700"), fast, odd))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("holds another comparison: --size was 600 and is 700, version was 1.0 (build 12)"
                        + " and is 1.0 (build 13)");
        assertThatThrownBy(() -> open(SETTINGS, HandMade.scenario("fast", 3, 3), odd))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("the scenario fast has changed");
        assertThatThrownBy(() -> open(Map.of("--size", "600"), fast, odd))
                .hasMessageContaining("version was 1.0 (build 12) and is unknown");
    }

    @Test
    void scenariosMayComeAndGoButNotChange() throws Exception {
        try (Journal journal = open(SETTINGS, fast)) {
            journal.append(first);
        }
        try (Journal journal = open(SETTINGS, odd)) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1)))
                    .as("not asked for")
                    .isEmpty();
            journal.append(second);
        }
        try (Journal journal = open(SETTINGS, odd, fast)) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1))).hasValue(first);
            assertThat(journal.find(new RunPlan(odd, "mob", -2))).hasValue(second);
        }
        assertThatThrownBy(() -> open(SETTINGS, HandMade.scenario(odd.name(), 2, 2)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(odd.name() + " has changed");
    }

    @Test
    void anewForgetsWhatThereWas() throws Exception {
        write(first);

        try (Journal journal = Journal.open(file, true, LATER, Map.of("version", "2.0"), List.of(fast))) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1))).isEmpty();
            assertThat(journal.begun()).isEqualTo(LATER);
        }
        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    @Test
    void oneAtATimeHasItOpen() throws Exception {
        try (Journal journal = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is being written by another process");
            journal.append(first);
        }
        try (Journal journal = open()) {
            assertThat(journal.find(new RunPlan(fast, "robber", 1))).hasValue(first);
        }
    }

    @Test
    void damageIsNamedByItsLineAndNothingIsChanged() throws Exception {
        write(first, second);
        List<String> lines = Files.readAllLines(file);

        assertDamaged(2, lines.get(0), "nonsense", lines.get(2));
        assertDamaged(2, lines.get(0), "{\"type\":\"run\"}", lines.get(2));
        assertDamaged(
                3, lines.get(0), lines.get(1), lines.get(2).replaceFirst("\"nodes\":\\[\\[", "\"nodes\":[[" + "1],["));
        assertDamaged(2, lines.get(0), lines.get(1).replace("\"run\"", "\"walk\""));
        assertDamaged(1, lines.get(1));
        assertDamaged(1, "no journal at all");
        Files.writeString(file, lines.get(0).replace("\"schema\":1", "\"schema\":2") + "\n");
        assertThatThrownBy(this::open).isInstanceOf(JournalException.class).hasMessageContaining("it has the format 2");
    }

    private void assertDamaged(int line, String... lines) throws IOException {
        String text = String.join("\n", lines) + "\n";
        Files.writeString(file, text);
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is damaged, or is no journal: line " + line + ": ");
        assertThat(file).hasContent(text);
    }

    private void write(RunResult... runs) throws IOException, JournalException {
        try (Journal journal = open()) {
            for (RunResult run : runs) {
                journal.append(run);
            }
        }
    }

    private Journal open() throws IOException, JournalException {
        return open(SETTINGS, fast, odd);
    }

    private Journal open(Map<String, String> settings, Scenario... scenarios) throws IOException, JournalException {
        return Journal.open(file, false, Files.exists(file) ? LATER : NOW, settings, List.of(scenarios));
    }

    private static RunResult kept(RunResult run) {
        return run.withTimeline(run.timeline().inShort(20));
    }

    private static List<?> problems(String line) throws IOException {
        String text =
                Resources.toString(Resources.getResource(Journal.class, "journal.schema.json"), StandardCharsets.UTF_8);
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text);
        return schema.validate(line, InputFormat.JSON);
    }
}
