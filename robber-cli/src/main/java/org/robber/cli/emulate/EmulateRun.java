package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.Experiment;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.report.ReportFolder;
import org.robber.emulation.scenario.Scenario;

/** One call of {@code robber-cli emulate}. */
public final class EmulateRun {
    private final EmulateRequest request;
    private final EmulateOutput output;
    private final EmulateProgress progress;
    private final Consumer<String> log;

    /**
     * @param output where results go
     * @param progress where progress is shown
     * @param log takes what else people may want to know
     */
    public EmulateRun(EmulateRequest request, EmulateOutput output, EmulateProgress progress, Consumer<String> log) {
        this.request = request;
        this.output = output;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Runs everything.
     *
     * @return the exit code of the process
     * @throws RobberException if it can't be done, or not as a whole
     */
    public int run() {
        ImmutableList<Scenario> scenarios = ScenarioFiles.read(request.files(), request.nodes());
        Path report = request.report();
        @Nullable ReportFolder folder = report == null ? null : Outcome.prepareFolder(report);
        if (folder != null && Files.exists(folder.file(BenchRun.JOURNAL))) {
            throw BenchRun.destination(
                    report + " holds a comparison, and this would replace its report: name another folder", null);
        }
        ImmutableList<RunPlan> plans =
                Experiment.everyOneOf(scenarios, request.strategies(), request.firstSeed(), request.runs());
        Setting setting = Settings.of(request, scenarios, Settings.now(), Deadline.NONE, plans.size());
        try (RunBackend backend = RunBackend.open(request, setting, log)) {
            Outcome outcome = Outcome.begin(setting, output, folder);
            return new RunLoop(request, progress, log, "").run(plans, 0, backend, outcome);
        }
    }
}
