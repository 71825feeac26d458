package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robber.ChannelOptions;
import org.robber.bench.ProcessMeter;
import org.robber.core.topology.Topology;

/** Runs one contender on data that is there: fresh processes, whose reports it reads and whose files it removes. */
final class ContenderRunner {
    private static final String[] NO_FLAGS = {};

    private final LoopbackOptions options;
    private final LoopbackCase one;
    private final Path source;
    private final long checksum;
    private final List<String> jvmFlags;

    /**
     * @param source the data
     * @param checksum its checksum
     * @param jvmFlags flags of every process
     */
    ContenderRunner(LoopbackOptions options, LoopbackCase one, Path source, long checksum, List<String> jvmFlags) {
        this.options = options;
        this.one = one;
        this.source = source;
        this.checksum = checksum;
        this.jvmFlags = jvmFlags;
    }

    /**
     * Runs the contender once.
     *
     * @param flagsOfLast more flags of the last node of Robber
     * @throws IOException if any process fails, delivers wrong bytes or takes too long
     */
    RunFigures run(Contender contender, String... flagsOfLast) throws IOException {
        try (ScratchFolder scratch = new ScratchFolder(options.directory());
                ProcessGroup group = new ProcessGroup(jvmFlags, scratch.path(), options.timeout())) {
            Path folder = scratch.path();
            long launchedNanos = ProcessMeter.clockNanos();
            runAll(group, contender, folder, flagsOfLast);
            List<NodeReport> receivers = new ArrayList<>();
            for (int rank = 1; rank < one.processes(); rank++) {
                receivers.add(NodeReport.readFrom(report(folder, rank)));
            }
            return RunFigures.of(
                    one,
                    one.deliveredPieces(options.channel().pieceBytes()),
                    launchedNanos,
                    contender.isRobber() ? clusters() : 1,
                    NodeReport.readFrom(report(folder, 0)),
                    receivers);
        }
    }

    /**
     * Runs the contender once, and counts.
     *
     * @return the system calls of all processes, from their start to their end
     */
    long systemCalls(Contender contender, SystemCallCounter counter) throws IOException {
        try (ScratchFolder scratch = new ScratchFolder(options.directory());
                ProcessGroup group = new ProcessGroup(jvmFlags, scratch.path(), options.timeout(), counter)) {
            runAll(group, contender, scratch.path());
            return group.systemCalls();
        }
    }

    private void runAll(ProcessGroup group, Contender contender, Path folder, String... flagsOfLast)
            throws IOException {
        if (contender.isRobber()) {
            startRobber(group, contender, folder, flagsOfLast);
        } else {
            startPlainCopy(group, contender.place(), folder);
        }
        group.await();
    }

    private void startPlainCopy(ProcessGroup group, Place place, Path folder) throws IOException {
        Map<String, Object> sender = new LinkedHashMap<>();
        sender.put("source", source);
        sender.put("size", one.sizeBytes());
        sender.put("receivers", one.receivers());
        sender.put("report", report(folder, 0));
        String port = group.startAndReadLine(PlainSender.class, Arguments.format(sender));
        for (int rank = 1; rank < one.processes(); rank++) {
            Map<String, Object> receiver = new LinkedHashMap<>();
            receiver.put("port", port);
            receiver.put("size", one.sizeBytes());
            receiver.put("place", place);
            receiver.put("target", folder.resolve("data-" + rank));
            receiver.put("checksum", checksum);
            receiver.put("report", report(folder, rank));
            group.start(PlainReceiver.class, Arguments.format(receiver));
        }
    }

    private void startRobber(ProcessGroup group, Contender contender, Path folder, String... flagsOfLast)
            throws IOException {
        String port =
                group.startAndReadLine(LoopbackNode.class, Arguments.format(nodeArguments(contender, folder, 0, "0")));
        for (int rank = 1; rank < one.processes(); rank++) {
            group.start(
                    LoopbackNode.class,
                    Arguments.format(nodeArguments(contender, folder, rank, port)),
                    rank == one.receivers() ? flagsOfLast : NO_FLAGS);
        }
    }

    private Map<String, Object> nodeArguments(Contender contender, Path folder, int rank, String port) {
        ChannelOptions channel = options.channel();
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("rank", rank);
        arguments.put("processes", one.processes());
        arguments.put("cluster", Topology.letters((int) ((long) rank * clusters() / one.processes())));
        arguments.put("port", port);
        arguments.put("strategy", channel.strategy());
        arguments.put("piece-bytes", channel.pieceBytes());
        arguments.put("digest", channel.digest());
        arguments.put("window", channel.requestWindow());
        arguments.put("shared-memory", channel.sharesMemory() ? "on" : "off");
        arguments.put("place", contender.place());
        arguments.put("tls", contender.isEncrypted() ? "on" : "off");
        arguments.put("data", rank == 0 ? source : folder.resolve("data-" + rank));
        arguments.put("size", one.sizeBytes());
        arguments.put("checksum", checksum);
        arguments.put("timeout", options.timeout().toSeconds());
        arguments.put("report", report(folder, rank));
        return arguments;
    }

    private int clusters() {
        return Math.min(options.clusters(), one.processes());
    }

    private static Path report(Path folder, int rank) {
        return folder.resolve("report-" + rank);
    }
}
