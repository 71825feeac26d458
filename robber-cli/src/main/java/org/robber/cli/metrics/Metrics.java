package org.robber.cli.metrics;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;

/** The metrics of a job, at their place from now until {@link #close}. */
public interface Metrics extends AutoCloseable {

    /** The phase of failures to offer metrics. */
    String PHASE = "metrics";

    /**
     * Offers them.
     *
     * @param phases that the job may be in
     * @param state of the job, asked for by other threads
     * @throws RobberException if the place cannot be used: {@code NETWORK} for a port, {@code DESTINATION} for a file
     */
    static Metrics start(MetricsPlace place, Collection<String> phases, Supplier<JobState> state) {
        try {
            if (place.isPort()) {
                return MetricsServer.start(
                        place.address(),
                        place.port(),
                        openMetrics -> JobMetrics.text(state.get(), phases, openMetrics));
            }
            return MetricsFile.start(place.file(), () -> JobMetrics.text(state.get(), phases, false));
        } catch (IOException e) {
            String what = place.isPort()
                    ? "metrics cannot be offered at " + place.text() + ": " + e.getMessage() + "; choose another port"
                    : "the metrics cannot be written to " + place.text() + ": " + FileFailure.text(e)
                            + "; choose another file";
            throw new RobberException(place.isPort() ? Reason.NETWORK : Reason.DESTINATION, List.of(0), PHASE, what, e);
        }
    }

    /** Shows the last metrics, and no more. */
    @Override
    void close();
}
