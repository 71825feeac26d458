package org.robber.cli.emulate;

import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.NumberText;
import org.robber.emulation.report.RecoveryText;
import org.robber.emulation.report.WanCopiesText;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/** A line for each run. Runs are printed as they come, so the widths of columns are known beforehand. */
final class RunLines {

    private static final int SEED_WIDTH = 6;
    private static final int FIGURE_WIDTH = 8;

    private final int scenarioWidth;
    private final int strategyWidth;

    RunLines(Setting setting) {
        this.scenarioWidth = longest(
                "SCENARIO",
                setting.scenarios().keySet().stream().map(Scenario::name).toList());
        this.strategyWidth = longest("STRATEGY", setting.strategies());
    }

    static int longest(String head, Collection<String> words) {
        return Stream.concat(Stream.of(head), words.stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    String head() {
        return line("SCENARIO", "STRATEGY", "SEED", "BOUND %", "STORE %", "SECONDS", "MB/S", "CONTROL%", "STOLEN")
                + "  WAN COPIES\n";
    }

    String line(MeasuredRun measured) {
        RunResult run = measured.run();
        String beside = NumberText.megabytesOfAll(measured.besideBytesPerSecond());
        String copies = WanCopiesText.of(run.scenario(), measured.bound().call(), run::wanCopies, "=", " ");
        return line(
                        run.scenario().name(),
                        run.strategy(),
                        Long.toString(run.seed()),
                        NumberText.percent(measured.shareOfAdapt()),
                        NumberText.percent(measured.shareOfStore()),
                        NumberText.decimals(measured.seconds(), 3),
                        NumberText.megabytes(measured.bytesPerSecond()),
                        NumberText.finePercent(measured.controlShare()),
                        NumberText.ifStolen(run.strategy(), Long.toString(measured.stolenPieces())))
                + (copies.isEmpty() ? "" : "  " + copies)
                + (beside.isEmpty() ? "" : "\n  jobs beside it, MB/s: " + beside)
                + RecoveryText.lines(run).stream()
                        .map(recovery -> "\n  " + recovery)
                        .collect(Collectors.joining())
                + (run.isComplete() ? "\n" : "\n  incomplete: " + run.problem().replaceAll("\\R", " ") + "\n");
    }

    private String line(String scenario, String strategy, String seed, String... figures) {
        StringBuilder line = new StringBuilder()
                .append(scenario)
                .append(" ".repeat(scenarioWidth - scenario.length()))
                .append("  ")
                .append(strategy)
                .append(" ".repeat(strategyWidth - strategy.length()));
        appendRight(line, seed, SEED_WIDTH);
        for (String figure : figures) {
            appendRight(line, figure, FIGURE_WIDTH);
        }
        return line.toString();
    }

    private static void appendRight(StringBuilder line, String text, int width) {
        line.append("  ").append(" ".repeat(Math.max(0, width - text.length()))).append(text);
    }
}
