package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ClusterBy;
import org.robber.JobOptions;
import org.robber.RobberException;

class LaunchEnvironmentTest {
    private final Map<String, String> variables = new TreeMap<>(Map.of(
            "ROBBER_RANK", "3",
            "ROBBER_SIZE", "5",
            "ROBBER_URI", "robber://stage@192.0.2.1:7000?cluster=B"));

    @Test
    void readsOurOwnVariables() {
        JobOptions job = job();
        assertThat(job).hasToString("rank 3 of 5 in job stage at 192.0.2.1:7000");
        assertThat(job.cluster()).isEqualTo("B");
        assertThat(job.secret()).isEmpty();
    }

    @Test
    void aJobThatIsToBeStartedMayHaveAnAddressAndNeedsNoRank() {
        variables.remove("ROBBER_RANK");
        variables.put("ROBBER_SECRET", "open sesame");
        JobOptions addressed = LaunchEnvironment.of(variables).startOptions("fresh");
        assertThat(addressed).hasToString("rank 0 of 1 in job stage at 192.0.2.1:7000");
        assertThat(addressed.cluster()).isEqualTo("B");
        assertThat(addressed.secret()).asString(StandardCharsets.UTF_8).isEqualTo("open sesame");

        JobOptions free = LaunchEnvironment.of(Map.of()).startOptions("fresh");
        assertThat(free.job()).isEqualTo("fresh");
        assertThat(free.host()).isEmpty();
        assertThat(free.port()).isZero();
        assertThatThrownBy(() ->
                        LaunchEnvironment.of(Map.of("ROBBER_URI", "nonsense")).startOptions("fresh"))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("ROBBER_URI");
    }

    @Test
    void clustersAreFoundByWhatTheVariableSays() {
        assertThat(job().clusterBy()).isEqualTo(ClusterBy.AUTO);
        variables.put("ROBBER_CLUSTER_BY", "rtt");
        assertThat(job().clusterBy()).isEqualTo(ClusterBy.RTT);
        variables.put("ROBBER_CLUSTER_BY", "taste");
        assertThatThrownBy(this::job).hasMessageContaining("ROBBER_CLUSTER_BY=taste is none of auto, subnet, rtt");
    }

    @Test
    void theLeafSwitchOfSlurmIsTheCluster() {
        variables.put("ROBBER_CLUSTER_BY", "switch");
        assertThatThrownBy(this::job).hasMessageContaining("SLURM_TOPOLOGY_ADDR");
        variables.put("SLURM_JOB_PARTITION", "gpu");
        variables.put("SLURM_TOPOLOGY_ADDR", "n.1");
        variables.put("SLURM_TOPOLOGY_ADDR_PATTERN", "node");
        assertThat(job().cluster()).as("Slurm knows no switches").isEqualTo("gpu");
        variables.put("SLURM_TOPOLOGY_ADDR", "root.leaf2.n.1");
        variables.put("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node");
        assertThat(job().cluster()).isEqualTo("leaf2");
        variables.put("SLURM_TOPOLOGY_ADDR", "block1.n.1");
        variables.put("SLURM_TOPOLOGY_ADDR_PATTERN", "block.node");
        assertThat(job().cluster()).isEqualTo("block1");
    }

    @Test
    void clusterOfTheNodeCountsMoreThanThatOfTheAddress() {
        variables.put("ROBBER_CLUSTER", "C");
        assertThat(job().cluster()).isEqualTo("C");
    }

    @Test
    void ourOwnVariablesCountMoreThanAnyLauncher() {
        variables.putAll(Map.of("PMIX_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2", "SLURM_PROCID", "0"));
        assertThat(job()).hasToString("rank 3 of 5 in job stage at 192.0.2.1:7000");
    }

    @Test
    void ourAddressGoesWithTheRankOfALauncher() {
        variables.keySet().removeAll(Set.of("ROBBER_RANK", "ROBBER_SIZE"));
        variables.putAll(Map.of("PMI_RANK", "1", "PMI_SIZE", "2"));
        assertThat(job()).hasToString("rank 1 of 2 in job stage at 192.0.2.1:7000");
    }

    @ParameterizedTest
    @CsvSource({
        "ROBBER_RANK, ROBBER_SIZE, 7",
        "PMIX_RANK, OMPI_COMM_WORLD_SIZE, 6",
        "PMI_RANK, PMI_SIZE, 5",
        "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, 4",
        "SLURM_PROCID, SLURM_NTASKS, 3",
        "RANK, WORLD_SIZE, 2",
        "JOB_COMPLETION_INDEX, ROBBER_SIZE, 1"
    })
    void asksLaunchersInTheirOrder(String rankName, String sizeName, int rank) {
        variables.remove("ROBBER_RANK");
        variables.remove("ROBBER_SIZE");
        Map<String, Integer> ranks = Map.of(
                "ROBBER_RANK", 7,
                "PMIX_RANK", 6,
                "PMI_RANK", 5,
                "OMPI_COMM_WORLD_RANK", 4,
                "SLURM_PROCID", 3,
                "RANK", 2,
                "JOB_COMPLETION_INDEX", 1);
        ranks.forEach((name, other) -> {
            if (other <= rank) {
                variables.put(name, other.toString());
            }
        });
        variables.put(sizeName, "8");
        assertThat(variables).containsKey(rankName);
        assertThat(job()).extracting(JobOptions::rank, JobOptions::size).containsExactly(rank, 8);
    }

    @Test
    void nodeAloneNeedsNoAddress() {
        variables.putAll(Map.of("ROBBER_RANK", "0", "ROBBER_SIZE", "1"));
        variables.remove("ROBBER_URI");
        assertThat(job()).hasToString("rank 0 of 1 in job robber at 127.0.0.1:0");
    }

    @Test
    void tellsNoJobFromPartOfOne() {
        assertThat(LaunchEnvironment.of(Map.of()).isPresent()).isFalse();
        assertThat(LaunchEnvironment.of(Map.of("RANK", "general", "ROBBER_CLUSTER", "B", "ROBBER_SECRET", "s"))
                        .isPresent())
                .isFalse();
        for (String part : variables.keySet()) {
            Map<String, String> half = Map.of(part, String.valueOf(variables.get(part)));
            assertThat(LaunchEnvironment.of(half).isPresent()).as(part).isTrue();
            assertUsage(half, part);
        }
    }

    @Test
    void saysWhatItLookedFor() {
        assertUsage(
                Map.of("HOME", "/home/me"),
                "ROBBER_RANK, PMIX_RANK, PMI_RANK, OMPI_COMM_WORLD_RANK, SLURM_PROCID, RANK, JOB_COMPLETION_INDEX."
                        + " Use a launcher, set ROBBER_RANK, ROBBER_SIZE and ROBBER_URI, or call Robber.join");
    }

    @ParameterizedTest
    @CsvSource({
        "ROBBER_RANK, 5, ROBBER_RANK=5 is not below ROBBER_SIZE=5",
        "ROBBER_RANK, -1, ROBBER_RANK=-1 is not a number",
        "ROBBER_RANK, three, ROBBER_RANK=three is not a number",
        "ROBBER_RANK, 99999999999, ROBBER_RANK=99999999999 is not a number",
        "ROBBER_SIZE, 0, ROBBER_SIZE=0",
        "ROBBER_SIZE, 5x, ROBBER_SIZE=5x is not a number",
        "ROBBER_SIZE, '', set ROBBER_SIZE",
        "ROBBER_URI, '', ROBBER_URI is not set",
        "ROBBER_URI, 192.0.2.1:7000, ROBBER_URI=192.0.2.1:7000 is not of the form robber://JOB@HOST:PORT",
        "ROBBER_CONNECT_TIMEOUT, soon, ROBBER_CONNECT_TIMEOUT: 'soon' is not a duration above zero",
        "ROBBER_CONNECT_TIMEOUT, 0s, ROBBER_CONNECT_TIMEOUT: '0s' is not a duration above zero",
        "ROBBER_CONNECT_TIMEOUT, 30, ROBBER_CONNECT_TIMEOUT: '30' is not a duration above zero",
        "ROBBER_CONNECT_TIMEOUT, 5m?, ROBBER_CONNECT_TIMEOUT: '5m?' is not a duration above zero",
        "ROBBER_SECRET, '', 'ROBBER_SECRET is set but empty: give the secret, or unset it for a job without one'",
        "ROBBER_SECRET_FILE, '', 'ROBBER_SECRET_FILE is set but empty: give the secret, or unset it for a job without one'"
    })
    void namesTheVariableAndItsValue(String name, String value, String message) {
        variables.put(name, value);
        assertUsage(variables, message);
    }

    @Test
    void sizeThatContradictsTheLauncherIsRefused() {
        variables.remove("ROBBER_RANK");
        variables.putAll(Map.of("PMI_RANK", "1", "PMI_SIZE", "2"));
        assertUsage(variables, "ROBBER_SIZE=5 contradicts PMI_SIZE=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "65536", "0"})
    void pytorchNeedsAPort(String port) {
        assertUsage(Map.of("RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "h", "MASTER_PORT", port), "MASTER_PORT");
    }

    @Test
    void torchrunListensAtItsPortItself() {
        JobOptions rankZero = ofTorchrun("0", "29500", "none");
        JobOptions rankOne = ofTorchrun("1", "29500", "none");
        assertThat(rankZero.host()).isEqualTo("h");
        assertThat(rankZero.port()).isBetween(20_000, 29_499).isEqualTo(rankOne.port());
        assertThat(rankZero.job()).isEqualTo(rankOne.job());
        assertThat(ofTorchrun("0", "29501", "none").port()).isNotEqualTo(rankZero.port());
        assertThat(ofTorchrun("0", "29500", "other").port()).isNotEqualTo(rankZero.port());
    }

    @ParameterizedTest
    @CsvSource({"30s, 30000", "5m, 300000", "250ms, 250", "2h, 7200000", "1m30s, 90000"})
    void readsTheConnectTimeout(String text, long millis) {
        variables.put("ROBBER_CONNECT_TIMEOUT", text);
        assertThat(job().connectTimeout()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void readsTheSecretFromTheVariable() {
        variables.put("ROBBER_SECRET", "hunter2");
        assertThat(job().secret()).asString(StandardCharsets.UTF_8).isEqualTo("hunter2");
        assertThat(job().toString()).doesNotContain("hunter2");
    }

    @Test
    void readsTheSecretFromTheFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "hunter2\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        variables.put("ROBBER_SECRET_FILE", file.toString());
        assertThat(job().secret()).asString(StandardCharsets.UTF_8).isEqualTo("hunter2");
    }

    @Test
    void takesOneSecretOnly() {
        variables.putAll(Map.of("ROBBER_SECRET", "hunter2", "ROBBER_SECRET_FILE", "/nowhere"));
        assertUsage(variables, "ROBBER_SECRET and ROBBER_SECRET_FILE are both set");
    }

    private JobOptions job() {
        return LaunchEnvironment.of(variables).jobOptions();
    }

    private static JobOptions ofTorchrun(String rank, String port, String run) {
        return LaunchEnvironment.of(Map.of(
                        "RANK",
                        rank,
                        "WORLD_SIZE",
                        "2",
                        "MASTER_ADDR",
                        "h",
                        "MASTER_PORT",
                        port,
                        "TORCHELASTIC_RUN_ID",
                        run))
                .jobOptions();
    }

    private static void assertUsage(Map<String, String> variables, String message) {
        assertThatThrownBy(() -> LaunchEnvironment.of(variables).jobOptions())
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(RobberException.Reason.USAGE));
    }
}
