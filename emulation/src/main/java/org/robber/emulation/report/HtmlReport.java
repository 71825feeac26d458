package org.robber.emulation.report;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** Findings as one page that needs nothing else. */
public final class HtmlReport {

    private HtmlReport() {}

    /** The page; well-formed XML as well. */
    public static String text(Findings findings) {
        Markup out = Page.begin("Robber: " + String.join(", ", names(findings.setting())));
        out.leaf("h1", "Robber: strategies in emulated networks");
        writeSetting(out, findings);
        new ComparisonTable(findings).write(out);
        for (Scenario scenario : findings.setting().scenarios().keySet()) {
            writeScenario(out, findings, scenario);
        }
        RunTable.write(out, findings);
        return Page.end(out);
    }

    private static void writeSetting(Markup out, Findings findings) {
        Setting setting = findings.setting();
        Computer computer = setting.computer();
        out.open("p").leaf("code", setting.commandLine()).closeLine();
        out.paragraph(
                "note",
                NumberText.grouped(setting.dataBytes()) + " bytes; begun " + setting.begun() + "; Robber "
                        + setting.version() + ", Java " + computer.java() + " (" + computer.vm() + "), "
                        + computer.system()
                        + " " + computer.kernel() + " " + computer.architecture() + ", " + computer.cores()
                        + (computer.cores() == 1 ? " core" : " cores") + deadline(setting.deadline())
                        + wan(setting.wan()));
        if (findings.runs().size() < setting.plannedRuns()) {
            out.paragraph("bad", "Ended early: " + findings.runs().size() + " of " + setting.plannedRuns() + " runs.");
        }
        out.raw("\n");
    }

    private static String deadline(Deadline deadline) {
        if (deadline.equals(Deadline.NONE)) {
            return "";
        }
        String amount = NumberText.decimals(deadline.amount(), 1);
        return "; runs succeed within " + (deadline.inBounds() ? amount + " times the bound" : amount + " s");
    }

    private static String wan(String kind) {
        return kind.isEmpty() ? "" : "; links of the testbed: " + kind;
    }

    private static void writeScenario(Markup out, Findings findings, Scenario scenario) {
        out.leaf("h2", scenario.name()).leaf("p", scenario.description());
        out.paragraph("note", shape(scenario)).raw("\n");
        writeStrategies(out, findings, scenario);
        writeRuns(out, findings, scenario);
    }

    private static void writeStrategies(Markup out, Findings findings, Scenario scenario) {
        ImmutableList<Summary> summaries = findings.summaries().stream()
                .filter(summary -> summary.scenario().equals(scenario.name()))
                .collect(ImmutableList.toImmutableList());
        if (summaries.isEmpty()) {
            return;
        }
        Collective call =
                checkNotNull(findings.setting().scenarios().get(scenario)).call();
        StrategyTable.write(out, scenario, call, summaries);
        new StrategyCharts(summaries, call)
                .write(
                        out,
                        summaries.stream()
                                .map(summary -> ComparisonTable.typical(findings.runs(scenario, summary.strategy())))
                                .collect(ImmutableList.toImmutableList()));
    }

    private static void writeRuns(Markup out, Findings findings, Scenario scenario) {
        for (String strategy : findings.setting().strategies()) {
            ImmutableList<MeasuredRun> runs = findings.runs(scenario, strategy);
            ImmutableList<MeasuredRun> detailed = runs.stream()
                    .filter(run -> run.run().timeline().isDetailed())
                    .collect(ImmutableList.toImmutableList());
            if (detailed.isEmpty()) {
                continue;
            }
            MeasuredRun typical = ComparisonTable.typical(detailed);
            Summary summary = Summary.of(scenario.name(), strategy, runs);
            out.open("section").leaf("h3", scenario.name() + ", " + strategy);
            out.leaf(
                    "p",
                    NumberText.percent(summary.shareOfAdapt()) + " % of the bound in "
                            + NumberText.decimals(summary.seconds(), 2) + " s; at most "
                            + NumberText.decimals(summary.mostWanCopies().largest(), 3)
                            + " WAN copies; control bytes "
                            + NumberText.finePercent(summary.controlShare().mean())
                            + " % of the data; "
                            + summary.complete() + " of " + summary.runs()
                            + " runs complete. Lines over time are of the run with seed "
                            + typical.run().seed() + ", the one in the middle.");
            NodeCharts.write(out, typical);
            LinkCharts.write(out, typical.run());
            SourceCharts.write(out, runs);
            out.closeLine();
        }
    }

    private static String shape(Scenario scenario) {
        StringBuilder text = new StringBuilder();
        for (ClusterSpec cluster : scenario.clusters()) {
            if (text.length() > 400) {
                text.append(", \u2026");
                break;
            }
            text.append(text.length() == 0 ? "" : ", ")
                    .append(cluster.name())
                    .append(" (")
                    .append(cluster.nodes())
                    .append(')');
        }
        int phases = scenario.phases().size();
        return scenario.nodeCount() + " nodes in the clusters " + text + "; root in "
                + scenario.clusters().get(scenario.root().cluster()).name() + "; " + phases
                + (phases == 1 ? " phase" : " phases");
    }

    private static ImmutableList<String> names(Setting setting) {
        return setting.scenarios().keySet().stream().map(Scenario::name).collect(ImmutableList.toImmutableList());
    }
}
