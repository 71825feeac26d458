package org.robber.cli;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.cli.launch.HostTerms;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.option.CountText;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DurationText;
import org.robber.cli.option.ListenText;
import org.robber.cli.option.SizeText;
import org.robber.cli.option.StateOption;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.serve.Daemon;
import org.robber.cli.serve.ServeSettings;
import org.robber.transport.launch.LaunchEnvironment;
import org.robber.transport.launch.UserHome;
import org.robber.transport.security.SecretFile;
import org.robber.transport.sockets.DataAddresses;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code robber-cli serve}. */
@Command(
        name = ServeCommand.NAME,
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Waits for 'replicate -w HOSTS --launcher=serve', and starts a node for each job.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli serve --config=/etc/robber/serve.config",
            "  robber-cli serve --secret-file=/etc/robber/secret --allow=/scratch --quota=500G --jobs=2",
            "%nSignals:",
            "  SIGHUP reads the configuration anew, for jobs that begin from then on. SIGTERM ends the daemon",
            "  when its jobs have ended, or after --stop-timeout; a second one ends them at once.",
            "%nExit codes:",
            "  0 ended by SIGTERM or SIGINT; 1 internal error; 2 usage; 5 it cannot listen"
        })
final class ServeCommand implements Callable<Integer> {
    static final String NAME = "serve";

    /** The key of configuration files that may be there several times. */
    static final String LIST = "allow";

    private static final String SIZE = "SIZE";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--" + LIST,
            paramLabel = "FOLDER",
            split = "\n",
            description =
                    "Copies may go into this folder, or replace it, and nowhere else. May be given several times.")
    private List<Path> folders = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            defaultValue = ":7622",
            converter = ListenText.class,
            description =
                    "Where operators connect: an address, a port, or both. Default: ${DEFAULT-VALUE}, all addresses.")
    private InetSocketAddress address = new InetSocketAddress(0);

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "File with the secret that operators must have (mode 600). Without it, only loopback may be"
                    + " listened at.")
    private @Nullable Path secretFile;

    @Option(
            names = "--quota",
            paramLabel = SIZE,
            defaultValue = "0",
            converter = SizeText.class,
            description = "Largest copy that a job may write here; 0 for any. Default: ${DEFAULT-VALUE}.")
    private long quotaBytes;

    @Option(
            names = "--keep-free",
            paramLabel = SIZE,
            defaultValue = "0",
            converter = SizeText.class,
            description = "Room that jobs must leave free on the file system. Default: ${DEFAULT-VALUE}.")
    private long keepFreeBytes;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "4",
            converter = CountText.class,
            description = "Most jobs at a time. Default: ${DEFAULT-VALUE}.")
    private int jobs;

    @Option(
            names = "--stop-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long jobs may go on when the daemon is told to end. Default: ${DEFAULT-VALUE}.")
    private Duration stopTimeout = Duration.ZERO;

    @Mixin
    private DataAddressOptions data = new DataAddressOptions();

    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Log each step, and print stack traces of errors.")
    private boolean verbose;

    @Override
    public Integer call() throws InterruptedException {
        if (verbose) {
            LogSetup.show(Detail.VERBOSE);
        }
        StatusConsole console = StatusConsole.standardError();
        Daemon daemon = new Daemon(
                BuildDigest::ofProgram, this::configuration, line -> console.line("robber-cli: serve: " + line));
        return daemon.run(System.getenv());
    }

    /** As arguments, environment and configuration file say now. */
    private ServeSettings configuration() {
        CommandLine fresh = Main.parse(
                System.getenv(),
                UserHome.path(),
                spec.commandLine().getParent().getParseResult().originalArgs(),
                StatusConsole.standardError());
        CommandLine command = Objects.requireNonNull(fresh.getSubcommands().get(NAME));
        return command.<ServeCommand>getCommand().settings();
    }

    private ServeSettings settings() {
        if (folders.isEmpty()) {
            throw bad("no folder is allowed: name those that copies may go into, by --allow=FOLDER, or 'allow = FOLDER'"
                    + " in the configuration file");
        }
        for (Path folder : folders) {
            if (!folder.isAbsolute()) {
                throw bad("--allow: '" + folder + "' is no absolute path");
            }
        }
        checkDataAddress(data.address().network());
        checkRecords(state.chosen());
        ReceivingLimits limits =
                new ReceivingLimits(folders, quotaBytes == 0 ? Long.MAX_VALUE : quotaBytes, keepFreeBytes);
        return new ServeSettings(
                address,
                secretFile == null ? LaunchEnvironment.of(System.getenv()).secret() : SecretFile.read(secretFile),
                new HostTerms(limits, data.address(), state.folder()),
                jobs,
                stopTimeout);
    }

    /** Else no node could be started, and only the operators would hear of it. */
    private void checkDataAddress(String network) {
        try {
            if (!network.isEmpty()) {
                var unused = DataAddresses.find(network);
            }
        } catch (RobberException e) {
            throw bad("--data-address: " + e.getMessage());
        }
    }

    /** The folder may be made later, as soon as there is a record to keep. */
    private void checkRecords(@Nullable Path folder) {
        Path existing = folder;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing != null && !(Files.isDirectory(existing) && Files.isWritable(existing))) {
            throw bad("--state-dir: no records can be kept in " + folder + ", because " + existing
                    + " is no folder that this user may write to");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
