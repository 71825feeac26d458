package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.ExecRun;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.calibration.LinkMeasurement;
import org.robber.emulation.testbed.replicate.ReplicateJob;
import org.robber.emulation.testbed.replicate.ReplicateRun;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/**
 * Does runs in the testbed, one after the other. A testbed is made and calibrated for each scenario, and serves all its runs.
 */
final class TestbedRunner implements ScenarioRunner {

    /** Room for strategies that are far from the bound. */
    private static final int LIMIT_IN_BOUNDS = 20;

    private static final Duration LIMIT_START = Duration.ofMinutes(2);
    private static final Duration LIMIT_UNKNOWN = Duration.ofHours(1);

    private final RunSettings settings;
    private final RunSettings.InTestbed choices;
    private final Deadline runDeadline;
    private final ImmutableMap<Scenario, Bound> bounds;
    private final Consumer<String> log;
    private @Nullable Testbed testbed;
    private boolean closed;

    /**
     * @throws org.robber.emulation.testbed.sandbox.TestbedException if no testbed can be made here
     */
    TestbedRunner(
            RunSettings settings,
            RunSettings.InTestbed choices,
            Deadline runDeadline,
            ImmutableMap<Scenario, Bound> bounds,
            Consumer<String> log) {
        TestbedRequirements.check();
        this.settings = settings;
        this.choices = choices;
        this.runDeadline = runDeadline;
        this.bounds = bounds;
        this.log = log;
    }

    @Override
    public void check(RunPlan plan) {
        if (choices.command() != null) {
            return;
        }
        Scenario scenario = plan.scenario();
        if (scenario.rankOf(scenario.root()) != 0) {
            throw ScenarioRunner.rootIsNotFirst(scenario, "robber-cli replicate sends from");
        }
        try {
            ReplicateRun.check(scenario, job(plan));
        } catch (TestbedException e) {
            throw new ExperimentException(Reason.NETWORK, "testbed", String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public RunResult run(RunPlan plan) throws InterruptedException {
        Testbed place = testbedOf(plan.scenario());
        String command = choices.command();
        if (command != null) {
            Duration limit = commandLimit(limit(plan.scenario()));
            return new ExecRun(place, command, settings.dataBytes(), plan.seed(), limit, log).run();
        }
        return new ReplicateRun(place, job(plan)).run();
    }

    private ReplicateJob job(RunPlan plan) {
        return new ReplicateJob(
                choices.launcher(),
                plan.strategy(),
                options(),
                plan.seed(),
                settings.dataBytes(),
                settings.pieceBytes(),
                choices.encrypts(),
                settings.jobsBeside(),
                limit(plan.scenario()));
    }

    /** Further options of {@code robber-cli replicate}. */
    private ImmutableList<String> options() {
        ImmutableList.Builder<String> options = ImmutableList.builder();
        addOption(options, "--request-window=", settings.requestWindow());
        addOption(options, "--bwlimit=", settings.sendBytesPerSecond());
        addOption(options, "--wan-bwlimit=", settings.wanSendBytesPerSecond());
        return options.build();
    }

    private static void addOption(ImmutableList.Builder<String> options, String name, long value) {
        if (value > 0) {
            options.add(name + value);
        }
    }

    private Testbed testbedOf(Scenario scenario) throws InterruptedException {
        Testbed place = current();
        if (place != null && place.scenario().equals(scenario)) {
            return place;
        }
        if (place != null) {
            place.close();
        }
        place = Testbed.open(
                scenario,
                TestbedOptions.forData(
                        settings.dataBytes() * (1 + settings.jobsBeside()), scenario.nodeCount(), choices.choices()));
        keep(place);
        report(place, place.calibrate());
        return place;
    }

    private synchronized @Nullable Testbed current() {
        return testbed;
    }

    private synchronized void keep(Testbed place) throws InterruptedException {
        if (closed) {
            place.close();
            throw new InterruptedException("closed meanwhile");
        }
        testbed = place;
    }

    private void report(Testbed place, ImmutableList<LinkMeasurement> links) {
        double rate = 0;
        double nanos = 0;
        for (LinkMeasurement link : links) {
            rate = Math.max(rate, link.rateError());
            nanos = Math.max(nanos, Math.abs((double) link.gotRoundTripNanos() - link.wantedRoundTripNanos()));
        }
        log.accept(String.format(
                Locale.ROOT,
                "%s: calibrated, %d links off by at most %.1f %% in rate and %.2f ms in round trip, with %s over %s",
                place.scenario().name(),
                links.size(),
                100 * rate,
                nanos / 1e6,
                place.congestionControl(),
                place.wan()));
    }

    /** Nobody but the user knows what a command does, so a time that is given is its limit. */
    private Duration commandLimit(Duration usual) {
        return runDeadline.isTime() ? Duration.ofMillis((long) (1000 * runDeadline.amount())) : usual;
    }

    private Duration limit(Scenario scenario) {
        double seconds = bounds.getOrDefault(scenario, Bound.UNKNOWN).adaptSeconds();
        return Double.isNaN(seconds)
                ? LIMIT_UNKNOWN
                : LIMIT_START.plusMillis((long) (1000 * LIMIT_IN_BOUNDS * seconds));
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (testbed != null) {
            testbed.close();
            testbed = null;
        }
    }
}
