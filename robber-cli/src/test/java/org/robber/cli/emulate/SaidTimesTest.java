package org.robber.cli.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.cli.report.ReportSchema;
import org.robber.emulation.testbed.program.NodeExit;

class SaidTimesTest {

    @Test
    void aNodeSpeaksForItself() {
        SaidTimes said = SaidTimes.of(List.of(exit(0, """
            {"schema":1,"type":"started"}
            {"schema":1,"type":"done","seconds":12.5}
            bye
            """), exit(1, "nothing of interest: seconds 3\n")));

        assertThat(said.nanosOf(0, 7)).isEqualTo(12_500_000_000L);
        assertThat(said.nanosOf(1, 7)).isEqualTo(7);
    }

    @Test
    void aLauncherPassesOnWhatOthersSay() {
        SaidTimes said = SaidTimes.of(List.of(exit(0, """
            {"type":"done","rank":2,"seconds":0.25}
            {"type":"done","rank":0,"seconds":1}
            """), exit(1, ""), exit(2, "")));

        assertThat(said.nanosOf(0, 7)).isEqualTo(1_000_000_000L);
        assertThat(said.nanosOf(1, 7)).isEqualTo(7);
        assertThat(said.nanosOf(2, 7)).isEqualTo(250_000_000L);
    }

    @Test
    void linesAreJsonAndMayHaveBlanks() throws IOException {
        String line = "{\"schema\": 1, \"type\": \"done\", \"rank\": 1, \"seconds\": 2.5e-1}";

        assertThat(SaidTimes.of(List.of(exit(0, line + "\n"), exit(1, ""))).nanosOf(1, 7))
                .isEqualTo(250_000_000L);
        assertThat(ReportSchema.problems(line, "events.schema.json")).isEmpty();
        assertThat(ReportSchema.problems("{\"schema\": 1, \"type\": \"started\"}", "events.schema.json"))
                .isEmpty();
        assertThat(ReportSchema.problems(line.replace("2.5e-1", "-1"), "events.schema.json"))
                .isNotEmpty();
        assertThat(ReportSchema.problems(line.replace("done", "gone"), "events.schema.json"))
                .isNotEmpty();
    }

    @Test
    void timesThatAreNoneAreLeftOut() {
        SaidTimes said = SaidTimes.of(List.of(exit(
                0, "{\"type\":\"done\",\"seconds\":-3}\n{\"type\":\"done\",\"seconds\":NaN}\n{\"type\":\"done\"}\n")));

        assertThat(said.nanosOf(0, 7)).isEqualTo(7);
    }

    private static NodeExit exit(int rank, String output) {
        return new NodeExit(rank, 0, output, "");
    }
}
