package org.robber.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The names and labels that users make queries of: a change here breaks them. */
class JobMetricsTest {

    private static final JobState RUNNING = new JobState(
            "/data/\"model\"",
            "robber",
            1764025200.5,
            "transfer",
            5_000_000_000L,
            null,
            List.of(
                    new JobState.Node(0, "A-0", "one", "A", false, 5_000_000_000L, new TreeMap<>()),
                    new JobState.Node(1, "B-0", "two", "B", true, 70, new TreeMap<>(Map.of("A", 50L, "B", 20L)))));

    @Test
    void textOfPrometheus() {
        assertThat(JobMetrics.text(RUNNING, List.of("scan", "transfer"), false)).isEqualTo("""
            # HELP robber_job_info The job of this rank 0.
            # TYPE robber_job_info gauge
            robber_job_info{source="/data/\\"model\\"",strategy="robber",version=""} 1
            # HELP robber_job_phase 1 for the phase that the job is in.
            # TYPE robber_job_phase gauge
            robber_job_phase{source="/data/\\"model\\"",phase="scan"} 0
            robber_job_phase{source="/data/\\"model\\"",phase="transfer"} 1
            # HELP robber_job_start_time_seconds When all nodes had come, since 1970.
            # TYPE robber_job_start_time_seconds gauge
            robber_job_start_time_seconds{source="/data/\\"model\\""} 1764025200.5
            # HELP robber_data_bytes Size of the data; 0 while it is not known.
            # TYPE robber_data_bytes gauge
            robber_data_bytes{source="/data/\\"model\\""} 5000000000
            # HELP robber_node_verified_bytes How much of the data a node has, verified.
            # TYPE robber_node_verified_bytes gauge
            robber_node_verified_bytes{source="/data/\\"model\\"",rank="0",node="A-0",host="one",cluster="A"} 5000000000
            robber_node_verified_bytes{source="/data/\\"model\\"",rank="1",node="B-0",host="two",cluster="B"} 70
            # HELP robber_node_lost 1 if the job goes on without a node.
            # TYPE robber_node_lost gauge
            robber_node_lost{source="/data/\\"model\\"",rank="0",node="A-0",host="one",cluster="A"} 0
            robber_node_lost{source="/data/\\"model\\"",rank="1",node="B-0",host="two",cluster="B"} 1
            # HELP robber_received_bytes_total Verified bytes that a node has received from nodes of a cluster, its own (local) or another (wan).
            # TYPE robber_received_bytes_total counter
            robber_received_bytes_total{source="/data/\\"model\\"",rank="1",node="B-0",host="two",cluster="B",from="A",origin="wan"} 50
            robber_received_bytes_total{source="/data/\\"model\\"",rank="1",node="B-0",host="two",cluster="B",from="B",origin="local"} 20
            """);
    }

    @Test
    void openMetricsNamesFamiliesUnitsAndTheEnd() {
        JobState ended = new JobState("s", "mob", 1, "commit", 7, new JobState.End(23, 2.25), List.of());

        assertThat(JobMetrics.text(ended, List.of(), true))
                .contains("# TYPE robber_job info\nrobber_job_info{source=\"s\",")
                .contains(
                        "# UNIT robber_job_end_time_seconds seconds\nrobber_job_end_time_seconds{source=\"s\"} 2.25\n")
                .contains("robber_job_exit_code{source=\"s\"} 23\n")
                .contains("# TYPE robber_received_bytes counter\n# UNIT robber_received_bytes bytes\n")
                .endsWith("# EOF\n");
    }
}
