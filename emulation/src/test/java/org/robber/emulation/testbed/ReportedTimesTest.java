package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.testbed.program.NodeExit;

class ReportedTimesTest {

    @Test
    void aNodeSpeaksForItself() {
        ReportedTimes times = ReportedTimes.of(List.of(exit(0, """
            {"schema":1,"type":"started"}
            {"schema":1,"type":"done","seconds":12.5}
            bye
            """), exit(1, "nothing of interest: seconds 3\n")));

        assertThat(times.nanosOf(0, 7)).isEqualTo(12_500_000_000L);
        assertThat(times.nanosOf(1, 7)).isEqualTo(7);
    }

    @Test
    void aLauncherPassesOnWhatOthersSay() {
        ReportedTimes times = ReportedTimes.of(List.of(exit(0, """
            {"type":"done","rank":2,"seconds":0.25}
            {"type":"done","rank":0,"seconds":1}
            """), exit(1, ""), exit(2, "")));

        assertThat(times.nanosOf(0, 7)).isEqualTo(1_000_000_000L);
        assertThat(times.nanosOf(1, 7)).isEqualTo(7);
        assertThat(times.nanosOf(2, 7)).isEqualTo(250_000_000L);
    }

    @Test
    void linesAreJsonAndMayHaveBlanks() {
        String line = "{\"schema\": 1, \"type\": \"done\", \"rank\": 1, \"seconds\": 2.5e-1}";

        assertThat(ReportedTimes.of(List.of(exit(0, line + "\n"), exit(1, ""))).nanosOf(1, 7))
                .isEqualTo(250_000_000L);
    }

    @Test
    void timesThatAreNoneAreLeftOut() {
        ReportedTimes times = ReportedTimes.of(List.of(exit(
                0, "{\"type\":\"done\",\"seconds\":-3}\n{\"type\":\"done\",\"seconds\":NaN}\n{\"type\":\"done\"}\n")));

        assertThat(times.nanosOf(0, 7)).isEqualTo(7);
    }

    private static NodeExit exit(int rank, String output) {
        return new NodeExit(
                rank,
                0,
                "",
                "",
                output.lines().filter(line -> line.contains("done")).collect(ImmutableList.toImmutableList()));
    }
}
