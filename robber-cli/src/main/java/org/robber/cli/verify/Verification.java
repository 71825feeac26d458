package org.robber.cli.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.report.VerifyReport;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.storage.record.AuditProgress;
import org.robber.transport.storage.record.CopyAudit;
import org.robber.transport.storage.record.CopyRecords;

/**
 * One node's part in verifying copies that were made before. Each node looks at its own copy, and rank 0 compares them. If wanted,
 * damaged ones are repaired from an intact one.
 */
final class Verification {
    private final VerifyRequest request;
    private final Communicator world;
    private final NodeOutput output;
    private final VerifyProgress progress;
    private final FailureReporter reporter;
    private final VerifyReport report;
    /** Of the copy that is looked at. */
    private final List<VerifyReport.Node> found = new ArrayList<>();
    /** At rank 0: the nodes with copies that stay wrong. */
    private final Set<Integer> wrong = new TreeSet<>();
    /** At rank 0: whether some nodes know nothing of a copy that was looked at. It may have replaced files of older ones. */
    private boolean isUnclear;

    /**
     * @param progress told how much this node has read
     * @param report told at rank 0 what was found
     */
    Verification(
            VerifyRequest request,
            Communicator world,
            NodeOutput output,
            VerifyProgress progress,
            VerifyReport report) {
        this.progress = progress;
        this.report = report;
        this.request = request;
        this.world = world;
        this.output = output;
        this.reporter = new FailureReporter(world, () -> "verify");
    }

    /**
     * Takes part.
     *
     * @return the exit code, the same on every node: 0 if all copies are right, or were made so
     */
    int run() {
        return reporter.orFail(this::steps);
    }

    private int steps() {
        String destination = DestinationPattern.resolve(request.destination(), world);
        Path folder = Objects.requireNonNull(request.stateFolder(), "where records are");
        CopyRecords records = new CopyRecords(folder, world.hostName(world.rank()));
        boolean allRight = true;
        Map<String, FileTime> recorded =
                request.hasCopy() ? reporter.here(Reason.DESTINATION, () -> records.copies(destination)) : Map.of();
        List<String> names = names(recorded, destination);
        for (String name : names) {
            if (names.size() > 1 && world.rank() == 0) {
                say("copy " + name + ":");
            }
            allRight &= verify(records, destination, name, nanos(recorded.get(name)));
        }
        if (request.hasCopy()) {
            progress.nodeDone();
        }
        int exitCode = allRight ? 0 : Reason.INTEGRITY.exitCode();
        if (world.rank() == 0) {
            reporter.here(Reason.DESTINATION, () -> deliver(exitCode));
            if (!allRight) {
                output.error(
                        exitCode,
                        "some copies are not right: those of " + FailureText.nodes(world, List.copyOf(wrong)));
            }
        }
        return exitCode;
    }

    private int deliver(int exitCode) {
        String json = report.json(exitCode);
        ReportFile.write(request.reportFile(), json, 0, "all copies are verified");
        if (request.format() == OutputFormat.JSON) {
            output.result(json.stripTrailing());
        }
        return exitCode;
    }

    /** The result of reading this node's copy; null if nothing is known of it. */
    private @Nullable CopyAudit audit(String destination, Path record) throws IOException {
        return request.hasCopy() && Files.exists(record)
                ? CopyAudit.of(destination, record, new AuditProgress() {
                    @Override
                    public void begin(long totalBytes) {
                        progress.begin(totalBytes);
                    }

                    @Override
                    public void read(long bytes) {
                        checkDeadline();
                        progress.read(bytes);
                    }
                })
                : null;
    }

    private void checkDeadline() {
        TimeLimit deadline = request.deadline();
        if (deadline != null && deadline.left().isZero()) {
            throw deadline.failure("verify");
        }
    }

    /** The names of all copies that any node knows of, the last one first: then a repaired copy has its files back before older ones are looked at. */
    private List<String> names(Map<String, FileTime> recorded, String destination) {
        List<String> lines = new ArrayList<>();
        recorded.forEach((name, time) -> lines.add(name + " " + nanos(time)));
        Map<String, Long> all = new TreeMap<>();
        for (byte[] told : world.control().gather(String.join("\n", lines).getBytes(UTF_8))) {
            for (String line : new String(told, UTF_8).lines().toList()) {
                int space = line.indexOf(' ');
                all.merge(line.substring(0, space), Long.valueOf(line.substring(space + 1)), Math::max);
            }
        }
        if (world.rank() == 0 && all.isEmpty()) {
            reporter.here(Reason.SOURCE, () -> {
                throw new RobberException(
                        Reason.SOURCE,
                        List.of(),
                        "verify",
                        "nothing is known of a copy in " + (request.hasCopy() ? destination : request.destination())
                                + ": 'replicate' to the same DEST keeps in " + request.stateFolder()
                                + " what verify compares with");
            });
        }
        List<String> names = new ArrayList<>(all.keySet());
        names.sort(Comparator.comparing((String name) -> all.getOrDefault(name, 0L))
                .thenComparing(Comparator.naturalOrder())
                .reversed());
        byte[] joined = world.control().broadcast(String.join("\n", names).getBytes(UTF_8));
        return new String(joined, UTF_8).lines().toList();
    }

    private static long nanos(@Nullable FileTime time) {
        return time == null ? 0 : time.to(TimeUnit.NANOSECONDS);
    }

    /** Verifies one copy on all nodes; returns whether it is right everywhere in the end. */
    private boolean verify(CopyRecords records, String destination, String name, long recordedNanos) {
        Path record = reporter.here(Reason.DESTINATION, () -> records.record(destination, name));
        CopyAudit mine = reporter.here(Reason.DESTINATION, () -> audit(destination, record));
        List<CopyState> told = world
                .control()
                .gather(CopyState.of(mine, recordedNanos).toBytes())
                .stream()
                .map(CopyState::fromBytes)
                .toList();
        byte[] plan = new byte[0];
        if (world.rank() == 0) {
            Repair.Plan judged = judge(told);
            report.add(name, found);
            plan = judged.toBytes();
        }
        Repair.Plan agreed = Repair.Plan.fromBytes(world.control().broadcast(plan));
        if (agreed.donor() < 0) {
            return agreed.allRight();
        }
        new Repair(world, records, reporter, agreed, output)
                .run(
                        destination,
                        name,
                        mine,
                        () -> CopyAudit.of(destination, record, new AuditProgress() {
                            @Override
                            public void begin(long totalBytes) {}

                            @Override
                            public void read(long bytes) {
                                checkDeadline();
                            }
                        }));
        if (world.rank() == 0) {
            String donor = world.nodeName(agreed.donor());
            report.lastWasRepaired(donor);
            say("repaired from " + donor);
        }
        return true;
    }

    /** A line for people; programs get the report in the end. */
    private void say(String line) {
        if (request.format() == OutputFormat.TEXT) {
            output.result(line);
        }
    }

    /** Tells what was found, and decides what is to be done. */
    private Repair.Plan judge(List<CopyState> told) {
        int first = request.hasCopy() ? 0 : 1;
        Judgement judged = Judgement.of(told, first);
        found.clear();
        for (int rank = first; rank < told.size(); rank++) {
            CopyState one = told.get(rank);
            String status = judged.statuses().get(rank - first);
            String node = world.nodeName(rank) + " on " + world.hostName(rank) + ": ";
            if (status.equals("different")) {
                say(node + "not what " + world.nodeName(judged.donor()) + " has");
            } else if (status.equals("right")) {
                say(node + "right");
            }
            if (one.replaced() > 0) {
                say(node + "files replaced by later copies: " + one.replaced());
            }
            one.problems().forEach(problem -> say(node + problem));
            found.add(new VerifyReport.Node(
                    rank, world.nodeName(rank), world.hostName(rank), status, one.replaced(), one.problems()));
        }
        if (judged.damaged().isEmpty()) {
            return Repair.Plan.nothing(true);
        }
        String hindrance = hindrance(judged);
        if (!request.repair() || hindrance != null) {
            isUnclear |= judged.statuses().contains("unknown");
            wrong.addAll(judged.damaged());
            if (request.repair() && hindrance != null) {
                say(hindrance);
            }
            return Repair.Plan.nothing(false);
        }
        CopyState model = told.get(judged.donor());
        // A copy of one run keeps its digest: later, the record of the repaired copy is compared with those of others.
        String digest = model.hasSteps() ? PieceHashers.forComparisons(model.digest()) : model.digest();
        return new Repair.Plan(
                false, judged.donor(), model.manifestBytes(), model.pieceBytes(), digest, judged.damaged());
    }

    /** Why the copy cannot be repaired, or null. */
    private @Nullable String hindrance(Judgement judged) {
        if (judged.donor() < 0) {
            return "no node has a whole copy: run 'replicate --checksum' again";
        }
        if (judged.isDisputed()) {
            return "not repaired, since a copy that differs from that of " + world.nodeName(judged.donor())
                    + " may be newer: run 'replicate' again";
        }
        return isUnclear
                ? "not repaired, since nodes know nothing of a later copy, which may have replaced files: run 'replicate' of that again"
                : null;
    }
}
