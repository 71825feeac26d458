package org.robber.cli;

import com.google.common.collect.ImmutableSet;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.cli.launch.LocalJob;
import org.robber.cli.launch.LocalPlaces;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.Deadline;
import org.robber.cli.replicate.DestinationPattern;
import org.robber.cli.replicate.NodeOutput;
import org.robber.cli.replicate.PlaceFacts;
import org.robber.cli.replicate.Plan;
import org.robber.cli.replicate.ReplicateRequest;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code replicate --local}: all nodes as processes on this machine. */
final class LocalRun {

    private static final int SECRET_BYTES = 32;

    /** How long after the deadline nodes may take to end by themselves, or by force. */
    private static final Duration OVERDUE = Duration.ofSeconds(12);

    /** What is this process's own business, or goes to the nodes in another way. */
    private static final ImmutableSet<String> NOT_PASSED_ON = ImmutableSet.<String>builder()
            .add("--local", "--dry-run", "--progress", "--launched", "--help", "--version")
            .addAll(CopyOptions.OF_LAUNCHED_JOBS)
            .build();

    private final CommandSpec spec;
    private final EnvironmentDefaults environment;
    private final LocalShape shape;
    private final ReplicateRequest request;
    private final NodeOutput output;

    LocalRun(
            CommandSpec spec,
            EnvironmentDefaults environment,
            LocalShape shape,
            ReplicateRequest request,
            NodeOutput output) {
        this.spec = spec;
        this.environment = environment;
        this.shape = shape;
        this.request = request;
        this.output = output;
    }

    int run() throws InterruptedException {
        if (request.dryRun()) {
            return plan();
        }
        SecureRandom random = new SecureRandom();
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String jobId = HexFormat.of().toHexDigits(random.nextLong());
        List<String> names = new ArrayList<>();
        List<ProcessBuilder> commands = new ArrayList<>();
        List<Path> destinations = new ArrayList<>();
        for (int rank = 0; rank < shape.nodes(); rank++) {
            names.add(shape.nodeName(rank));
            commands.add(command(rank, jobId));
            destinations.add(Path.of(destination(rank)));
        }
        LocalPlaces places = LocalPlaces.prepare(Path.of(request.destination()), destinations);
        LocalJob job = new LocalJob(
                HexFormat.of().formatHex(secret), output, StatusConsole.standardError(), places::removeLeftovers);
        Deadline deadline = request.deadline();
        int exitCode = job.run(
                names, commands, deadline == null ? null : deadline.left().plus(OVERDUE));
        places.removeUnused();
        return exitCode;
    }

    private int plan() {
        Plan plan = new Plan();
        String host = hostName();
        int foldersMade = DestinationPattern.isPattern(request.destination()) ? 1 : 2;
        for (int rank = 0; rank < shape.nodes(); rank++) {
            PlaceFacts place = PlaceFacts.of(host, Path.of(destination(rank)), foldersMade);
            plan.add(shape.nodeName(rank), shape.clusterOf(rank), place);
        }
        return plan.print(request.source(), request.channel(), output);
    }

    /** The place of a node: a folder of its own in DEST, unless DEST says otherwise. */
    private String destination(int rank) {
        String pattern = request.destination();
        if (!DestinationPattern.isPattern(pattern)) {
            // a folder even if the source is a single file
            pattern = (pattern.endsWith("/") ? pattern : pattern + "/") + "{node}/";
        }
        return DestinationPattern.resolve(pattern, rank, shape.clusterOf(rank), shape.nodeName(rank));
    }

    private ProcessBuilder command(int rank, String jobId) {
        List<String> command = new ArrayList<>(OwnCommand.java());
        String archive = System.getProperty("robber.cli.archive");
        if (archive != null && rank == shape.nodes() - 1) {
            command.add("-XX:ArchiveClassesAtExit=" + archive);
        }
        command.addAll(OwnCommand.program());
        command.add(spec.name());
        command.add("--launched=" + jobId);
        command.addAll(options());
        command.add("--");
        command.add(request.source());
        command.add(destination(rank));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("ROBBER_"));
        variables.put("ROBBER_RANK", Integer.toString(rank));
        variables.put("ROBBER_SIZE", Integer.toString(shape.nodes()));
        variables.put("ROBBER_CLUSTER", shape.clusterOf(rank));
        return builder;
    }

    /** The options in force, wherever they come from, as flags. */
    private List<String> options() {
        List<String> flags = new ArrayList<>();
        ParseResult parsed = spec.commandLine().getParseResult();
        for (OptionSpec option : spec.options()) {
            if (NOT_PASSED_ON.contains(option.longestName())) {
                continue;
            }
            String value = value(parsed, option);
            if (value != null) {
                flags.add(option.arity().max() == 0 ? option.longestName() : option.longestName() + "=" + value);
            }
        }
        return flags;
    }

    private @Nullable String value(ParseResult parsed, OptionSpec option) {
        OptionSpec given = parsed.matchedOption(option.longestName());
        if (given != null && option.arity().max() == 0) {
            return "true";
        }
        if (given != null) {
            List<String> values = given.originalStringValues();
            return values.get(values.size() - 1);
        }
        String value = environment.value(option);
        return option.arity().max() == 0 && !Boolean.parseBoolean(value) ? null : value;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
