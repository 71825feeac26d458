package org.robber.cli.option;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions.OnLoss;
import org.robber.RobberException;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The reaction of a job to nodes that fail. */
public final class LossOptions extends CheckedOptions {

    @Option(
            names = "--on-failure",
            paramLabel = "WHAT",
            defaultValue = "continue",
            description = "When a node fails: continue with the others, or abort. Default: ${DEFAULT-VALUE}.")
    private OnFailure onFailure = OnFailure.CONTINUE;

    @Option(
            names = "--min-success",
            paramLabel = "N|N%",
            converter = MinSuccessText.class,
            description = "Stop as soon as fewer nodes than this, rank 0 included, can complete. Default: rank 0 and"
                    + " one more.")
    private @Nullable MinSuccess minSuccess;

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = ConnectionOptions.IdleTimeoutText.class,
            description = "When no node makes progress for this long, incomplete nodes are lost; at least 1s."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration stallTimeout = Duration.ZERO;

    /**
     * Refuses options that contradict one another.
     *
     * @param nodes how many there are, or 0 if that is not known yet
     */
    public void check(int nodes) {
        if (minSuccess != null && onFailure == OnFailure.ABORT) {
            throw bad("--min-success works only with --on-failure=continue");
        }
        if (nodes > 0) {
            try {
                policy().check(nodes);
            } catch (RobberException e) {
                throw bad(String.valueOf(e.getMessage()));
            }
        }
    }

    public LossPolicy policy() {
        return new LossPolicy(onFailure, minSuccess);
    }

    /** The reaction of channels to a lost node. */
    public OnLoss onLoss() {
        return policy().goesOn() ? OnLoss.COMPLETE_SURVIVORS : OnLoss.ABORT;
    }

    public Duration stallTimeout() {
        return stallTimeout;
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
