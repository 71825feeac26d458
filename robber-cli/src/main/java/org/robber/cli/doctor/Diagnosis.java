package org.robber.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.cli.doctor.Finding.Verdict;
import org.robber.cli.doctor.NetworkChecks.NameLookup;

/**
 * All findings on one machine.
 *
 * @param line that transfers should fill
 * @param findings in the order of the checks
 */
public record Diagnosis(Line line, List<Finding> findings) {

    /** The exit code if something holds transfers back. */
    public static final int HELD_BACK = 9;

    /**
     * What a transfer would be.
     *
     * @param nodes of the job, this one included
     * @param memoryBytes the budget of a node for pieces
     * @param destination where copies go, or null if disks are no question
     * @param dataBytes that will come; 0 if this is not known
     * @param files that will come; 0 if this is not known
     */
    public record Transfer(
            Line line,
            int nodes,
            long memoryBytes,
            @Nullable Path destination,
            long dataBytes,
            long files) {}

    /** Examines this machine. */
    public static Diagnosis ofThisMachine(Transfer transfer) {
        return of(Path.of("/"), transfer, NetworkChecks::resolved, new TrialWrite());
    }

    /** @param root where the folders proc, sys and etc of a machine are */
    static Diagnosis of(Path root, Transfer transfer, NameLookup names, DestinationCheckup.DiskProbe probe) {
        MachineFiles machine = new MachineFiles(root);
        Line line = transfer.line;
        List<Finding> findings = new ArrayList<>(new SocketBufferChecks(machine, line).findings());
        findings.addAll(new CongestionCheck(machine, line).findings());
        findings.addAll(new NetworkChecks(machine, line, names).findings());
        findings.addAll(new LimitChecks(machine, transfer.nodes, transfer.memoryBytes).findings());
        findings.add(Finding.good("java", "Java " + Runtime.version() + " in " + System.getProperty("java.home")));
        if (transfer.destination != null) {
            findings.addAll(new DestinationCheckup(line, transfer.dataBytes, transfer.files)
                    .findings(transfer.destination, probe));
        }
        return new Diagnosis(line, List.copyOf(findings));
    }

    /** How many findings have this verdict. */
    public long count(Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    /** 0 if nothing holds transfers back. */
    public int exitCode() {
        return count(Verdict.HOLDS_BACK) == 0 ? 0 : HELD_BACK;
    }
}
