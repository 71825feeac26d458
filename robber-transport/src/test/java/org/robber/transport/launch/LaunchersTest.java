package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.RobberException;

/** What is made of the environments that launchers make, with nothing of our own in them. */
class LaunchersTest {

    @Test
    void openMpiOnOneHostMeetsOnLoopback() {
        assertThat(jobOf("openmpi-4-one-host-rank-1"))
                .hasToString("rank 1 of 2 in job mpi-963313665 at 127.0.0.1:" + portOf("mpi-963313665"));
    }

    @Test
    void openMpiMeetsAtTheHeadNodeThatTakesPart() {
        JobOptions first = jobOf("openmpi-4-two-hosts-rank-0");
        JobOptions second = jobOf("openmpi-4-two-hosts-rank-1");
        assertThat(first.host()).isEqualTo("192.0.2.2");
        assertThat(first.rank()).isZero();
        assertSamePlace(second, first);
        assertThat(second.rank()).isOne();
    }

    @Test
    void openMpiMeetsAtTheFirstOtherNodeWhenTheHeadIsIdle() {
        JobOptions first = jobOf("openmpi-4-idle-head-rank-0");
        JobOptions last = jobOf("openmpi-4-idle-head-rank-3");
        assertThat(first.host()).isEqualTo("node01");
        assertSamePlace(last, first);
        assertThat(last).extracting(JobOptions::rank, JobOptions::size).containsExactly(3, 4);
    }

    @Test
    void openMpiWithRankZeroElsewhereNeedsAnAddress() {
        Map<String, String> variables = RecordedEnvironment.read("openmpi-4-idle-head-rank-0");
        variables.replace("OMPI_MCA_orte_local_daemon_uri", "934477824.2;tcp://192.0.2.4:53069");
        assertUsage(variables, "set ROBBER_URI");
    }

    @Test
    void openMpiWithManyIdleNodesNeedsAnAddress() {
        Map<String, String> variables = RecordedEnvironment.read("openmpi-4-idle-head-rank-3");
        variables.replace("OMPI_MCA_orte_num_nodes", "2");
        assertUsage(variables, "OMPI_MCA_orte_node_regex=head01,node[2:1-2,7],gpu-[1:5]@0(5)", "set ROBBER_URI");
    }

    @Test
    void openMpiHeadWithSeveralAddressesIsMetAtTheFirst() {
        Map<String, String> variables = RecordedEnvironment.read("openmpi-4-two-hosts-rank-1");
        variables.replace("OMPI_MCA_orte_hnp_uri", "1.0;tcp6://[2001:db8::2]:3;tcp://198.51.100.7,192.0.2.2:4");
        assertThat(job(variables).host()).isEqualTo("198.51.100.7");
        variables.replace("OMPI_MCA_orte_hnp_uri", "1.0;tcp6://[2001:db8::2,2001:db8::3]:3");
        assertThat(job(variables).host()).isEqualTo("2001:db8::2");
        variables.replace("OMPI_MCA_orte_hnp_uri", "nonsense");
        assertUsage(variables, "OMPI_MCA_orte_hnp_uri=nonsense", "set ROBBER_URI");
        variables.remove("OMPI_MCA_orte_hnp_uri");
        assertUsage(variables, "no OMPI_MCA_orte_hnp_uri", "set ROBBER_URI");
    }

    @Test
    void openMpi5MeetsAtTheHostThatItsNamespaceNames() {
        Map<String, String> variables = RecordedEnvironment.read("openmpi-5-two-hosts-rank-1");
        JobOptions second = job(variables);
        assertThat(second.host()).isEqualTo("node-a");
        variables.replace("PMIX_RANK", "0");
        assertUsage(variables, "rank 0 runs on node-b and not on node-a", "set ROBBER_URI");
        variables.replace("PMIX_HOSTNAME", "node-a.cluster.example");
        assertSamePlace(job(variables), second);
    }

    @Test
    void openMpiWithoutPmixIsUnderstood() {
        Map<String, String> variables = RecordedEnvironment.read("openmpi-4-one-host-rank-1");
        variables.keySet().removeIf(name -> name.startsWith("PMIX"));
        assertThat(job(variables))
                .hasToString(jobOf("openmpi-4-one-host-rank-1").toString());
    }

    @Test
    void slurmMeetsOnTheFirstHostOfTheStep() {
        assertThat(jobOf("slurm-rank-2"))
                .hasToString("rank 2 of 3 in job slurm-4711.1 at node05:" + portOf("slurm-4711.1"));
    }

    @Test
    void slurmIsAskedForTheAddressOfItsFirstNode() {
        Map<String, String> variables = RecordedEnvironment.read("slurm-rank-2");
        JobOptions job = LaunchEnvironment.of(variables, Map.of("node05", "192.0.2.5")::get)
                .jobOptions();
        assertThat(job.host()).isEqualTo("192.0.2.5");
    }

    @Test
    void namesThatNobodyKnowsStayAsTheyAre() {
        assertThat(SlurmNodes.address("127.0.0.1")).isEqualTo("127.0.0.1");
        assertThat(SlurmNodes.address("no-such-node.invalid")).isEqualTo("no-such-node.invalid");
    }

    @Test
    void slurmStepWithoutItsOwnListTakesThatOfTheJob() {
        Map<String, String> variables = RecordedEnvironment.read("slurm-rank-2");
        variables.remove("SLURM_STEP_NODELIST");
        assertThat(job(variables).host()).isEqualTo("node03");
        variables.replace("SLURM_JOB_NODELIST", "node[03-");
        assertUsage(variables, "SLURM_JOB_NODELIST=node[03- is not a list of hosts", "set ROBBER_URI");
        variables.keySet().removeIf(name -> name.endsWith("NODELIST"));
        assertUsage(variables, "neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST", "set ROBBER_URI");
    }

    @Test
    void slurmWithRankZeroElsewhereNeedsAnAddress() {
        Map<String, String> variables = RecordedEnvironment.read("slurm-rank-2");
        variables.replace("SLURM_PROCID", "0");
        assertUsage(variables, "SLURM_NODEID=2", "set ROBBER_URI");
    }

    @Test
    void stepsOfOneJobDontMeetEachOther() {
        Map<String, String> variables = RecordedEnvironment.read("slurm-rank-2");
        JobOptions one = job(variables);
        variables.replace("SLURM_STEP_ID", "2");
        JobOptions two = job(variables);
        assertThat(two.job()).isNotEqualTo(one.job());
        assertThat(two.port()).isNotEqualTo(one.port());
    }

    @Test
    void pmixFromSlurmMeetsAsSlurmDoes() {
        assertThat(jobOf("slurm-pmix-rank-0"))
                .hasToString("rank 0 of 4 in job slurm-815.0 at n8:" + portOf("slurm-815.0"));
    }

    @Test
    void launcherInAnotherIsNotTakenForAJobOfOne() {
        assertUsage(
                RecordedEnvironment.read("hydra-in-slurm-rank-1"),
                "PMIX_RANK=0 is the only one",
                "PMI_RANK=1 is one of PMI_SIZE=2");
    }

    @Test
    void hydraMeetsOnLoopbackWhereEverythingIsOnOneHost() {
        Map<String, String> variables = RecordedEnvironment.read("hydra-in-pbs-rank-3");
        assertThat(job(variables))
                .hasToString("rank 3 of 4 in job mpi-42.batch at 127.0.0.1:" + portOf("mpi-42.batch"));
        variables.replace("MPI_LOCALNRANKS", "2");
        assertUsage(variables, "PMI_RANK=3", "set ROBBER_URI");
        variables.replace("MPI_LOCALNRANKS", "4");
        variables.remove("PBS_JOBID");
        assertUsage(variables, "PMI_RANK=3", "set ROBBER_URI");
    }

    @Test
    void pytorchNamesTheAddress() {
        assertThat(jobOf("pytorch-rank-1"))
                .hasToString("rank 1 of 2 in job pytorch-train-master-0-23456 at train-master-0:23456");
    }

    @Test
    void kubernetesTakesSizeAndAddressFromUs() {
        JobOptions job = jobOf("kubernetes-index-2");
        assertThat(job).hasToString("rank 2 of 3 in job stage at stage-0.stage:7000");
        assertThat(job.cluster()).isEqualTo("B");
    }

    @Test
    void kubernetesWithoutSizeOrAddressSaysSo() {
        Map<String, String> variables = RecordedEnvironment.read("kubernetes-index-2");
        variables.remove("ROBBER_URI");
        assertUsage(variables, "ROBBER_URI is not set");
        variables.remove("ROBBER_SIZE");
        assertUsage(variables, "JOB_COMPLETION_INDEX=2", "set ROBBER_SIZE");
    }

    @Test
    void derivedPortsLieBelowTheEphemeralOnesAndSpread() {
        // As Open MPI counts its jobs.
        List<Integer> ports = IntStream.range(0, 1000)
                .mapToObj(i -> JobAddress.derived("mpi-" + (963313665L + 65536L * i), "h")
                        .port())
                .toList();
        assertThat(ports).allMatch(port -> port >= 20_000 && port <= 29_999);
        assertThat(Set.copyOf(ports)).hasSizeGreaterThan(900);
    }

    private static void assertSamePlace(JobOptions one, JobOptions other) {
        assertThat(one.job()).isEqualTo(other.job());
        assertThat(one.host()).isEqualTo(other.host());
        assertThat(one.port()).isEqualTo(other.port());
        assertThat(one.size()).isEqualTo(other.size());
    }

    private static int portOf(String job) {
        return JobAddress.derived(job, "h").port();
    }

    private static JobOptions jobOf(String recorded) {
        return job(RecordedEnvironment.read(recorded));
    }

    private static JobOptions job(Map<String, String> variables) {
        LaunchEnvironment environment = LaunchEnvironment.of(variables, node -> node);
        assertThat(environment.isPresent()).isTrue();
        return environment.jobOptions();
    }

    private static void assertUsage(Map<String, String> variables, String... parts) {
        assertThat(LaunchEnvironment.of(variables, node -> node).isPresent()).isTrue();
        assertThatThrownBy(() -> LaunchEnvironment.of(variables, node -> node).jobOptions())
                .hasMessageContainingAll(parts)
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(RobberException.Reason.USAGE));
    }
}
