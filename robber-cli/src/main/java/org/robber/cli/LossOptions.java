package org.robber.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions.OnLoss;
import org.robber.RobberException;
import org.robber.cli.replicate.Deadline;
import org.robber.cli.replicate.LossPolicy;
import org.robber.cli.replicate.LossPolicy.OnFailure;
import org.robber.cli.replicate.MinSuccess;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** Options of commands that run a job: how long it waits, for whom, and what follows then. */
final class LossOptions {

    /** Nodes say how far they are a few times in this time: with less, one would be lost for a hiccup. */
    static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(1);

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--on-failure",
            paramLabel = "WHAT",
            defaultValue = "continue",
            description = "When a node is lost, or can't go on: continue with the others (default), or abort.")
    private OnFailure onFailure = OnFailure.CONTINUE;

    @Option(
            names = "--min-success",
            paramLabel = "N|N%",
            converter = MinSuccessText.class,
            description = "End as soon as fewer nodes than that can complete. Default: the root and one more.")
    private @Nullable MinSuccess minSuccess;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "Give up nodes that are not done after 90s, 5m, 2h ... Default: never.")
    private @Nullable Duration deadline;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long to wait for all nodes. Default: 60s.")
    private Duration connectTimeout = Duration.ZERO;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationText.class,
            description = "A node that says nothing for this long is lost. Default: 30s.")
    private Duration idleTimeout = Duration.ZERO;

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "When nothing has moved for this long, nodes that are not done are lost. Default: 60s.")
    private Duration stallTimeout = Duration.ZERO;

    /**
     * Refuses values that make no sense, alone or together.
     *
     * @param nodes how many there are, or 0 if that is not known yet
     */
    void check(int nodes) {
        if (idleTimeout.compareTo(SHORTEST_PATIENCE) < 0 || stallTimeout.compareTo(SHORTEST_PATIENCE) < 0) {
            throw bad("--idle-timeout and --stall-timeout must be at least 1s");
        }
        if (minSuccess != null && onFailure == OnFailure.ABORT) {
            throw bad("--min-success goes with --on-failure=continue only");
        }
        if (nodes > 0) {
            try {
                policy().check(nodes);
            } catch (RobberException e) {
                throw bad(String.valueOf(e.getMessage()));
            }
        }
    }

    LossPolicy policy() {
        return new LossPolicy(onFailure, minSuccess);
    }

    /** What channels do about it. */
    OnLoss onLoss() {
        return policy().goesOn() ? OnLoss.COMPLETE_SURVIVORS : OnLoss.ABORT;
    }

    /** The deadline, which counts from now, or null. */
    @Nullable
    Deadline deadline() {
        return deadline == null ? null : Deadline.in(deadline, System::nanoTime);
    }

    Timeouts timeouts() {
        return new Timeouts(connectTimeout, idleTimeout, stallTimeout);
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** {@code 12} or {@code 90%}. */
    static final class MinSuccessText implements ITypeConverter<MinSuccess> {
        @Override
        public MinSuccess convert(String text) {
            try {
                return MinSuccess.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
