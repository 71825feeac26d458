package org.robber.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.cli.doctor.Machine.find;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.doctor.Diagnosis.Transfer;
import org.robber.cli.doctor.Finding.Verdict;
import org.robber.cli.report.ReportSchema;

/** What the doctor finds on machines that are not this one. */
class DiagnosisTest {

    @TempDir
    Path root;

    private Machine machine;

    @BeforeEach
    void install() throws IOException {
        machine = Machine.debian(root);
    }

    @Test
    void nothingHoldsShortLinesBack() {
        Diagnosis diagnosis = machine.examine(1000, 1);
        assertThat(diagnosis.findings())
                .allSatisfy(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.GOOD));
        assertThat(diagnosis.exitCode()).isZero();
        assertThat(DiagnosisText.lines(diagnosis))
                .endsWith("no finding holds back transfers over a line of 1 Gbit/s and 1 ms");
    }

    @Test
    void buffersLimitALongFatLine() {
        Diagnosis diagnosis = machine.examine(1000, 100);
        assertThat(find(diagnosis.findings(), "tcp-receive-buffer"))
                .isEqualTo(Finding.holdsBack(
                        "tcp-receive-buffer",
                        "receive buffers grow to 6.0 MiB, of which half is the window",
                        "a line of 1 Gbit/s and 100 ms holds 11.9 MiB; one connection gets at most 252 Mbit/s",
                        "sysctl -w net.ipv4.tcp_rmem='4096 131072 25165824'"));
        assertThat(find(diagnosis.findings(), "tcp-send-buffer"))
                .isEqualTo(Finding.holdsBack(
                        "tcp-send-buffer",
                        "send buffers grow to 4.0 MiB",
                        "a line of 1 Gbit/s and 100 ms holds 11.9 MiB; one connection gets at most 336 Mbit/s",
                        "sysctl -w net.ipv4.tcp_wmem='4096 16384 25165824'"));
        assertThat(diagnosis.exitCode()).isEqualTo(Diagnosis.HELD_BACK);
        assertThat(DiagnosisText.lines(diagnosis))
                .endsWith("2 findings hold back transfers over a line of 1 Gbit/s and 100 ms");
    }

    /** As in a container that hides them. */
    @Test
    void whatCannotBeReadIsNoGoodNews() throws IOException {
        MoreFiles.deleteRecursively(root.resolve("proc/sys/net"), RecursiveDeleteOption.ALLOW_INSECURE);
        Diagnosis diagnosis = machine.examine(1000, 1);

        assertThat(find(diagnosis.findings(), "tcp-receive-buffer").found())
                .isEqualTo("net.ipv4.tcp_rmem cannot be read");
        assertThat(DiagnosisText.lines(diagnosis))
                .endsWith("no finding holds back transfers over a line of 1 Gbit/s and 1 ms; 6 checks tell nothing");
    }

    /** What the cure names is enough for the same check. */
    @Test
    void theCureOfBuffersCures() throws IOException {
        for (String name : new String[] {"rmem", "wmem"}) {
            String check = name.equals("rmem") ? "tcp-receive-buffer" : "tcp-send-buffer";
            String cure = find(machine.examine(9000, 77).findings(), check).cure();
            machine.parameter("net/ipv4/tcp_" + name, cure.replaceAll("^.*'(.*)'$", "$1"));
            assertThat(find(machine.examine(9000, 77).findings(), check).verdict())
                    .isEqualTo(Verdict.GOOD);
        }
    }

    @Test
    void buffersThatDoNotGrowAndWindowsThatDoNotScaleAreNamed() throws IOException {
        machine.parameter("net/ipv4/tcp_moderate_rcvbuf", "0").parameter("net/ipv4/tcp_window_scaling", "0");
        Diagnosis diagnosis = machine.examine(100, 20);
        assertThat(find(diagnosis.findings(), "tcp-receive-buffer").cure())
                .isEqualTo("sysctl -w net.ipv4.tcp_moderate_rcvbuf=1");
        assertThat(find(diagnosis.findings(), "tcp-window-scaling").cost())
                .endsWith("one connection gets at most 26 Mbit/s");
    }

    @Test
    void lossesCostACubicLineAndTheCureDependsOnTheKernel() throws IOException {
        Finding cubic = find(machine.examine(1000, 20).findings(), "congestion-control");
        assertThat(cubic.verdict()).isEqualTo(Verdict.ADVICE);
        assertThat(cubic.cost()).endsWith("one connection gets about 71 Mbit/s");
        assertThat(cubic.cure()).startsWith("modprobe tcp_bbr && sysctl");
        machine.parameter("net/ipv4/tcp_available_congestion_control", "reno cubic bbr");
        assertThat(find(machine.examine(1000, 20).findings(), "congestion-control")
                        .cure())
                .isEqualTo("sysctl -w net.ipv4.tcp_congestion_control=bbr");
        machine.parameter("net/ipv4/tcp_allowed_congestion_control", "reno cubic bbr");
        assertThat(find(machine.examine(1000, 20).findings(), "congestion-control")
                        .cure())
                .isEqualTo("replicate --congestion=bbr");
        machine.parameter("net/ipv4/tcp_congestion_control", "bbr");
        assertThat(find(machine.examine(1000, 20).findings(), "congestion-control")
                        .verdict())
                .isEqualTo(Verdict.GOOD);
    }

    @Test
    void withoutSelectiveAcknowledgementsLossesCostRoundTrips() throws IOException {
        machine.parameter("net/ipv4/tcp_sack", "0");
        Finding finding = find(machine.examine(1000, 1).findings(), "tcp-sack");
        assertThat(finding.verdict()).isEqualTo(Verdict.HOLDS_BACK);
        assertThat(finding.cure()).isEqualTo("sysctl -w net.ipv4.tcp_sack=1");
    }

    @Test
    void adviceAloneIsNoFailure() {
        Diagnosis diagnosis = machine.examine(1000, 20);
        assertThat(diagnosis.count(Verdict.ADVICE)).isEqualTo(1);
        assertThat(diagnosis.count(Verdict.HOLDS_BACK)).isZero();
        assertThat(diagnosis.exitCode()).isZero();
    }

    @Test
    void ownNamesOnLoopbackAreNamed() throws IOException {
        machine.file("etc/hosts", "127.0.0.1 localhost\n127.0.1.1 node7");
        Finding finding = find(machine.examine(1000, 1).findings(), "host-name");
        assertThat(finding.verdict()).isEqualTo(Verdict.ADVICE);
        assertThat(finding.found()).isEqualTo("node7 is 127.0.1.1");
        assertThat(finding.cure()).contains("ROBBER_URI=robber://JOB@ADDRESS:PORT", "take node7 out");
        machine.file("etc/hosts", "# node7\n127.0.0.1 localhost");
        assertThat(find(machine.examine(1000, 1).findings(), "host-name").found())
                .isEqualTo("node7 has no address here");
    }

    @Test
    void cardsThatAreDownOrSlowHoldBack() throws IOException {
        assertThat(find(machine.examine(10_000, 1).findings(), "card-speed").cost())
                .isEqualTo("the line has 10 Gbit/s");
        machine.virtualCard("veth7", "1", "up", "1500", "10000");
        assertThat(find(machine.examine(10_000, 1).findings(), "card-speed").found())
                .isEqualTo("the fastest card runs at 1 Gbit/s");
        machine.virtualCard("veth7", "1", "down", "1500", "10000");
        machine.card("eno1", "1", "up", "576", "1000");
        assertThat(find(machine.examine(1000, 1).findings(), "mtu").cost()).startsWith("9 % ");
        machine.card("eno1", "1", "down", "1500", "-1");
        assertThat(find(machine.examine(1000, 1).findings(), "network-cards").found())
                .isEqualTo("no card but loopback is up");
        assertThat(find(machine.examine(1000, 1).findings(), "card-speed").verdict())
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void largeJobsNeedFilesAndAQueue() throws IOException {
        machine.parameter("net/core/somaxconn", "128").file("proc/self/limits", "Max open files   1024  4096  files");
        Diagnosis diagnosis = machine.examine(new Transfer(Machine.line(1000, 1), 2000, 4 << 20, null, 0, 0));
        assertThat(find(diagnosis.findings(), "open-files").cure()).startsWith("ulimit -Hn 4256 ");
        assertThat(find(diagnosis.findings(), "listen-queue").cure()).isEqualTo("sysctl -w net.core.somaxconn=4096");
        machine.file("proc/self/limits", "Max open files   1024  unlimited  files");
        assertThat(find(machine.examine(1000, 1).findings(), "open-files").verdict())
                .isEqualTo(Verdict.GOOD);
    }

    @Test
    void memoryIsThatOfTheTightestControlGroup() throws IOException {
        machine.file("sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope/memory.max", "max")
                .file("sys/fs/cgroup/user.slice/memory.max", "629145600")
                .file("sys/fs/cgroup/memory.max", "4294967296");
        Finding finding = find(machine.examine(1000, 1).findings(), "memory");
        assertThat(finding.verdict()).isEqualTo(Verdict.HOLDS_BACK);
        assertThat(finding.found()).startsWith("600 MiB are available");
        assertThat(finding.cure()).endsWith("--memory=344M");
    }

    @Test
    void memoryOfTheFirstVersionOfControlGroupsCounts() throws IOException {
        machine.file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/1f\n0::/")
                .file("sys/fs/cgroup/memory/docker/1f/memory.limit_in_bytes", "104857600")
                .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        assertThat(find(machine.examine(1000, 1).findings(), "memory").cure()).endsWith("--memory=4M");
    }

    @Test
    void machinesThatTellNothingAreUnknown(@TempDir Path nothing) throws IOException {
        Diagnosis diagnosis = Diagnosis.of(
                nothing, new Transfer(Machine.line(1000, 1), 64, 4 << 20, null, 0, 0), name -> null, new TrialWrite());
        assertThat(diagnosis.count(Verdict.UNKNOWN))
                .isEqualTo(diagnosis.findings().size() - 1L);
        assertThat(diagnosis.exitCode()).isZero();
        assertThat(ReportSchema.problems(DiagnosisText.json(diagnosis), "doctor.schema.json"))
                .isEmpty();
    }

    @Test
    void nonsenseInFilesOfTheMachineIsUnknown() throws IOException {
        machine.parameter("net/ipv4/tcp_rmem", "4096")
                .parameter("net/ipv4/tcp_wmem", "a b c")
                .parameter("net/core/somaxconn", "99999999999999999999")
                .parameter("net/ipv4/tcp_congestion_control", "")
                .file("proc/self/limits", "Max open files")
                .file("proc/meminfo", "MemAvailable: many kB")
                .file("proc/self/cgroup", "nonsense\n::")
                .card("eno1", "1", "up", "", "fast");
        Diagnosis diagnosis = machine.examine(1000, 100);
        for (String check : new String[] {
            "tcp-receive-buffer",
            "tcp-send-buffer",
            "congestion-control",
            "card-speed",
            "mtu",
            "open-files",
            "listen-queue",
            "memory"
        }) {
            assertThat(find(diagnosis.findings(), check).verdict()).as(check).isEqualTo(Verdict.UNKNOWN);
        }
    }

    @Test
    void theJsonIsWhatTheSchemaSays() throws IOException {
        String json = DiagnosisText.json(machine.examine(10_000, 100));
        assertThat(ReportSchema.problems(json, "doctor.schema.json")).isEmpty();
        assertThat(json).contains("\"exit_code\" : 9", "\"rtt_seconds\" : 0.1", "\"holds_back\"");
        assertThat(ReportSchema.problems(json.replace("\"cure\"", "\"kure\""), "doctor.schema.json"))
                .isNotEmpty();
    }
}
