package org.robber.cli.launch;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.robber.RobberException;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.plan.LocalPlan;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.ReportDelivery;
import org.robber.cli.replicate.StreamReplication;
import org.robber.cli.request.ReplicateRequest;
import org.robber.transport.rendezvous.HostName;

/** {@code replicate --local}: all nodes as processes on this machine. */
public final class LocalRun {

    /** The hidden command that runs one node, by the order that it reads from standard input. */
    public static final String COMMAND = "local-node";

    private static final int SECRET_BYTES = 32;

    private final LocalShape shape;
    private final ReplicateRequest request;
    private final NodeOrder order;
    private final NodeOutput output;

    /**
     * @param request its destination is a folder for the copies of all nodes, or a pattern
     * @param order of a node with this request
     * @param output shown the progress and the result of the job
     */
    public LocalRun(LocalShape shape, ReplicateRequest request, NodeOrder order, NodeOutput output) {
        this.shape = shape;
        this.request =
                request.withDestination(DestinationPattern.ofHost(request.destination(), HostName.ofThisMachine()));
        this.order = order;
        this.output = output;
    }

    /** A name for a job that no other has. */
    public static String newJobId() {
        return HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    }

    /** A secret that nobody can guess. */
    public static byte[] newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Runs the job, or only plans it; returns the exit code. */
    public int run() throws InterruptedException {
        request.removeEarlierReport();
        try {
            return request.dryRun() ? plan() : copy();
        } catch (RobberException e) {
            return CommandRun.failed(undelivered(e), output);
        }
    }

    private int copy() throws InterruptedException {
        List<NodeProcesses.Node> nodes = new ArrayList<>();
        List<Path> destinations = new ArrayList<>();
        for (int rank = 0; rank < shape.nodes(); rank++) {
            String destination = destination(rank);
            JobPlace place = new JobPlace(rank, shape.nodes(), shape.clusterOf(rank), JobPlace.LOOPBACK, 0);
            nodes.add(NodeProcesses.Node.local(
                    shape.nodeName(rank),
                    command(rank),
                    Optional.of(order.at(place, request.withDestination(destination)))));
            destinations.add(Path.of(destination));
        }
        LocalDestinations places = LocalDestinations.prepare(Path.of(request.destination()), destinations);
        NodeProcesses job = new NodeProcesses(
                HexFormat.of().formatHex(newSecret()),
                output,
                StatusConsole.standardError(),
                this::undelivered,
                places::removeLeftovers);
        int exitCode = job.run(nodes, NodeProcesses.limit(request.deadline()));
        places.removeUnused();
        return exitCode;
    }

    /** Delivers the result of a job of which rank 0 tells nothing; returns the failure of the command. */
    private RobberException undelivered(RobberException failure) {
        return ReportDelivery.unbegun(request, output, shape.nodes(), List.of(), failure);
    }

    private int plan() {
        LocalPlan plan = new LocalPlan();
        String host = HostName.ofThisMachine();
        int foldersMade = DestinationPattern.isPattern(request.destination()) ? 1 : 2;
        for (int rank = 0; rank < shape.nodes(); rank++) {
            String destination = destination(rank);
            DestinationInfo place = DestinationInfo.of(host, Path.of(destination), foldersMade);
            plan.add(shape.nodeName(rank), shape.clusterOf(rank), destination, place);
        }
        return plan.print(request, output);
    }

    /** The place of a node: a folder of its own in DEST, unless DEST says otherwise. */
    private String destination(int rank) {
        String pattern = DestinationPattern.perNode(
                request.destination(),
                StreamReplication.isStream(request.source().first()));
        return DestinationPattern.resolve(pattern, rank, shape.clusterOf(rank), shape.nodeName(rank));
    }

    /** Starts a process on this machine that waits for the order of a node. */
    public static ProcessBuilder command() {
        List<String> command = new ArrayList<>(OwnCommand.java());
        command.addAll(OwnCommand.program());
        command.add(COMMAND);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ROBBER_"));
        return builder;
    }

    private ProcessBuilder command(int rank) {
        ProcessBuilder builder = command();
        // Its order says the same. These tell the nodes of a machine apart for people who look at its processes.
        Map<String, String> variables = builder.environment();
        variables.put("ROBBER_RANK", Integer.toString(rank));
        variables.put("ROBBER_CLUSTER", shape.clusterOf(rank));
        return builder;
    }
}
