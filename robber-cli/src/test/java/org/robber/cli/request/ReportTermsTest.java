package org.robber.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.OutputFormat;

/** Rank 0 writes no report and no metrics over a source. */
class ReportTermsTest {

    @TempDir
    Path folder;

    @BeforeEach
    void makeSource() throws IOException {
        Files.writeString(folder.resolve("source"), "x");
    }

    private void check(@Nullable Path report, @Nullable String metrics) {
        new ReportTerms(OutputFormat.TEXT, report, metrics == null ? null : new MetricsPlace(metrics), List.of())
                .checkApart(List.of(folder + "/other", folder + "/source"));
    }

    @Test
    void refusesTheSourceByAnyName() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("source"));
        for (Path report : List.of(folder.resolve("source"), folder.resolve("./source"), link)) {
            assertThatThrownBy(() -> check(report, null))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                    .hasMessage("--report would replace the source " + folder + "/source: choose another file");
        }
        assertThatThrownBy(() -> check(null, folder + "/source")).hasMessageStartingWith("--metrics would replace");
    }

    @Test
    void takesOtherFilesAndPorts() {
        assertThatCode(() -> check(folder.resolve("report"), folder + "/metrics"))
                .doesNotThrowAnyException();
        assertThatCode(() -> check(null, "127.0.0.1:7000")).doesNotThrowAnyException();
    }
}
