package org.robber.emulation.testbed.replicate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.robber.core.piece.PieceLayout;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioWriter;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.Sandbox;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/**
 * One replication by {@code robber-cli} in a testbed: makes the data, runs it from fresh processes, compares every copy with the
 * data, and removes them. Data are kept in memory, so that disks play no part.
 */
public final class ReplicateRun {

    private static final String FOLDER = Sandbox.DATA + "/robber";
    private static final String FILE = "data";
    /** Other jobs listen above it. */
    private static final int FIRST_PORT_BESIDE = 7100;

    /** The variable that names the configuration file. That of the user may name a secret, or options that are not to be measured. */
    private static final String CONFIGURATION = "ROBBER_CONFIG";

    private static final String NO_CONFIGURATION = "/dev/null";
    private static final String REPORT = FOLDER + "/report.json";
    private static final String BANDWIDTHS = FOLDER + "/bandwidths.json";
    private static final String SECRET = FOLDER + "/secret";
    private static final int SECRET_BYTES = 32;

    private final Testbed testbed;
    private final ReplicateJob job;
    private final int pieceBytes;

    /**
     * Prepares a job in a testbed whose memory must hold a copy for every node.
     *
     * @throws TestbedException if {@link #check} refuses it
     */
    public ReplicateRun(Testbed testbed, ReplicateJob job) {
        this.testbed = testbed;
        this.job = job;
        check(testbed.scenario(), job);
        Scenario scenario = testbed.scenario();
        this.pieceBytes = job.pieceBytes() == 0
                ? PieceLayout.automatic(job.dataBytes(), scenario.topology().mostLinesIntoACluster())
                        .pieceBytes()
                : job.pieceBytes();
    }

    /**
     * Checks what needs no testbed.
     *
     * @throws TestbedException if copies for all nodes need more memory than there is
     */
    public static void check(Scenario scenario, ReplicateJob job) {
        int nodes = scenario.nodeCount() * (1 + job.jobsBeside());
        TestbedRequirements.checkMemory(job.dataBytes() * nodes, TestbedOptions.PROGRAM_BYTES * nodes);
    }

    /**
     * Runs it. A job that fails is no exception but a result with a problem.
     *
     * @throws TestbedException if the testbed breaks
     */
    public RunResult run() throws InterruptedException {
        testbed.shell(ImmutableList.of("rm -rf " + FOLDER, "mkdir -p " + folders()));
        try {
            if (usesBandwidths()) {
                Files.writeString(testbed.path(BANDWIDTHS), ScenarioWriter.text(testbed.scenario()));
            }
            if (job.encrypts()) {
                writeSecret();
            }
            long checksum = SampleData.write(file(0), job.dataBytes(), job.seed());
            for (int other = 1; other <= job.jobsBeside(); other++) {
                testbed.shell(ImmutableList.of("ln " + folder(0) + "/" + FILE + " " + beside(other) + "/0/" + FILE));
            }
            ProgramRun programs = testbed.run(programs(), StartSignal.event(), job.limit());
            return result(programs, report(REPORT), checksum);
        } catch (IOException e) {
            throw new TestbedException("cannot keep the data in memory: " + e.getMessage(), e);
        } finally {
            testbed.shell(ImmutableList.of("rm -rf " + FOLDER));
        }
    }

    /** A fresh one, for as long as the run. */
    private void writeSecret() throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Path file = testbed.path(SECRET);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, HexFormat.of().formatHex(secret) + "\n");
    }

    private static String reportBeside(int other) {
        return beside(other) + "/report.json";
    }

    private static String folder(int rank) {
        return FOLDER + "/" + rank;
    }

    /** The folder of another job. */
    private static String beside(int other) {
        return FOLDER + "/beside" + other;
    }

    /** The folder of a node of a job, by number from 0, the one that is measured. */
    private static String folder(int job, int rank) {
        return job == 0 ? folder(rank) : beside(job) + "/" + rank;
    }

    private String folders() {
        int nodes = testbed.places().size();
        return IntStream.range(0, nodes * (1 + job.jobsBeside()))
                .mapToObj(place -> folder(place / nodes, place % nodes))
                .collect(Collectors.joining(" "));
    }

    private Path file(int rank) {
        return testbed.path(folder(rank) + "/" + FILE);
    }

    /** The bandwidths of the scenario for strategies that plan; others need no file. */
    private List<String> bandwidths() {
        return usesBandwidths() ? List.of("--bandwidths=" + BANDWIDTHS) : List.of();
    }

    private boolean usesBandwidths() {
        return Strategies.byName(job.strategy()).usesBandwidths();
    }

    private List<NodeProgram> programs() {
        List<NodeProgram> programs = new ArrayList<>(Collections.nCopies(
                testbed.places().size(),
                new NodeProgram(
                        command(FOLDER, List.of("--progress=json", "--report=" + REPORT)),
                        ImmutableMap.of(CONFIGURATION, NO_CONFIGURATION))));
        for (int other = 1; other <= job.jobsBeside(); other++) {
            String uri = "robber://beside" + other + "@" + testbed.address(0) + ":" + (FIRST_PORT_BESIDE + other);
            programs.addAll(Collections.nCopies(
                    testbed.places().size(),
                    new NodeProgram(
                            command(beside(other), List.of("--report=" + reportBeside(other))),
                            ImmutableMap.of(CONFIGURATION, NO_CONFIGURATION, "ROBBER_URI", uri))));
        }
        return programs;
    }

    private ImmutableList<String> command(String folder, List<String> reporting) {
        return ImmutableList.<String>builder()
                .addAll(job.launcher())
                .add("replicate", "--strategy=" + job.strategy(), "--piece-size=" + pieceBytes)
                .addAll(reporting)
                .addAll(bandwidths())
                .addAll(job.options())
                .addAll(job.encrypts() ? List.of("--secret-file=" + SECRET, "--tls=on") : List.of())
                // rank 0 finds the source where its copy would go, and writes none
                .add(folder + "/0/" + FILE, folder + "/{rank}/" + FILE)
                .build();
    }

    /** The report of rank 0 of a job; without values if there is none. */
    private Report report(String file) throws IOException {
        try {
            return Report.parse(Files.readString(testbed.path(file)), testbed.scenario());
        } catch (NoSuchFileException e) {
            return new Report(0, "there is no report", ImmutableList.of(), ImmutableSortedMap.of());
        } catch (IllegalArgumentException e) {
            throw new TestbedException("cannot read the report of robber-cli: " + e.getMessage(), e);
        }
    }

    private RunResult result(ProgramRun programs, Report report, long checksum) throws IOException {
        return new RunResult(
                testbed.scenario(),
                Backend.TESTBED,
                job.strategy(),
                job.seed(),
                job.dataBytes(),
                pieceBytes,
                problem(programs, report, checksum),
                report.allNodes(testbed.places().size()),
                programs.crossedBytes(),
                report.stolen(),
                programs.cpuNanos(),
                programs.timeline(),
                besideNanos(),
                Recovery.of(testbed.scenario(), programs.timeline()));
    }

    private ImmutableList<Long> besideNanos() throws IOException {
        ImmutableList.Builder<Long> nanos = ImmutableList.builder();
        for (int other = 1; other <= job.jobsBeside(); other++) {
            Report report = report(reportBeside(other));
            nanos.add(report.problem().isEmpty() ? Math.round(report.seconds() * 1e9) : -1);
        }
        return nanos.build();
    }

    private String problem(ProgramRun programs, Report report, long checksum) throws IOException {
        Optional<NodeExit> failure = programs.firstFailure();
        if (failure.isPresent()) {
            NodeExit exit = failure.get();
            int nodes = testbed.places().size();
            return RunResult.problemOfJob(
                    exit.rank() / nodes,
                    "node of rank " + exit.rank() % nodes + " ended with code " + exit.exitCode() + ": "
                            + exit.lastError());
        }
        if (!programs.inTime()) {
            return "not done within " + job.limit().toSeconds() + " s";
        }
        if (!report.problem().isEmpty()) {
            return report.problem();
        }
        if (!programs.started()) {
            return "robber-cli did not say when the transfer began";
        }
        for (int number = 0; number <= job.jobsBeside(); number++) {
            for (int rank = 0; rank < testbed.places().size(); rank++) {
                Path copy = testbed.path(folder(number, rank) + "/" + FILE);
                if (SampleData.checksum(copy) != checksum) {
                    return RunResult.problemOfJob(number, "the copy of rank " + rank + " differs from the data");
                }
            }
        }
        return "";
    }
}
