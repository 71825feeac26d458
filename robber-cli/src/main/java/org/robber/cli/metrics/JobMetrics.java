package org.robber.cli.metrics;

import com.google.common.collect.ObjectArrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.robber.cli.metrics.MetricsText.MetricType;

/** The metrics of a job: their names and labels, of which users make queries and alerts. */
final class JobMetrics {

    private final JobState state;
    private final MetricsText out;

    private JobMetrics(JobState state, boolean openMetrics) {
        this.state = state;
        this.out = new MetricsText(openMetrics, "source", state.source());
    }

    /**
     * All metrics.
     *
     * @param phases that there are, of which the job is in one
     */
    static String text(JobState state, Collection<String> phases, boolean openMetrics) {
        JobMetrics metrics = new JobMetrics(state, openMetrics);
        metrics.writeJob(phases);
        metrics.writeNodes();
        return metrics.out.finish();
    }

    private void writeJob(Collection<String> phases) {
        @Nullable String version = JobMetrics.class.getPackage().getImplementationVersion();
        out.metric("robber_job", MetricType.INFO, "", "The job of this rank 0.")
                .sample(1, "strategy", state.strategy(), "version", version == null ? "" : version);
        out.metric("robber_job_phase", MetricType.GAUGE, "", "1 for the phase that the job is in.");
        for (String phase : phases) {
            out.sample(phase.equals(state.phase()) ? 1 : 0, "phase", phase);
        }
        out.metric("robber_job_start_time_seconds", MetricType.GAUGE, "seconds", "When all nodes had come, since 1970.")
                .sample(state.startSeconds());
        JobState.End end = state.end();
        if (end != null) {
            out.metric(
                            "robber_job_end_time_seconds",
                            MetricType.GAUGE,
                            "seconds",
                            "When the job had ended, since 1970.")
                    .sample(end.endSeconds());
            out.metric("robber_job_exit_code", MetricType.GAUGE, "", "How the job has ended; 0 if all is well.")
                    .sample(end.exitCode());
        }
        out.metric("robber_data_bytes", MetricType.GAUGE, "bytes", "Size of the data; 0 while it is not known.")
                .sample(state.dataBytes());
    }

    private void writeNodes() {
        out.metric(
                "robber_node_verified_bytes", MetricType.GAUGE, "bytes", "How much of the data a node has, verified.");
        for (JobState.Node node : state.nodes()) {
            sample(node.verifiedBytes(), node);
        }
        out.metric("robber_node_lost", MetricType.GAUGE, "", "1 if the job goes on without a node.");
        for (JobState.Node node : state.nodes()) {
            sample(node.lost() ? 1 : 0, node);
        }
        out.metric(
                "robber_received_bytes",
                MetricType.COUNTER,
                "bytes",
                "Verified bytes that a node has received from nodes of a cluster, its own (local) or another (wan).");
        for (JobState.Node node : state.nodes()) {
            node.receivedBytes()
                    .forEach((from, bytes) ->
                            sample(bytes, node, "from", from, "origin", from.equals(node.cluster()) ? "local" : "wan"));
        }
    }

    private void sample(long value, JobState.Node node, String... more) {
        String[] own = {
            "rank", Integer.toString(node.rank()), "node", node.name(), "host", node.host(), "cluster", node.cluster()
        };
        out.sample(value, ObjectArrays.concat(own, more, String.class));
    }
}
