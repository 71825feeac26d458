package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.filter.Selection.Kind;
import org.robber.cli.filter.Selection.RuleText;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.option.EnvironmentDefaults;
import org.robber.cli.option.FilterOptions;
import org.robber.cli.option.HostOptions;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.serve.StartRequest;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Where the values of options come from, and what bad ones lead to. */
class CommandLineTest {

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverDefaults() {
        Map<String, String> environment = Map.of("ROBBER_PIECE_SIZE", "1M", "ROBBER_MEMORY", "8M", "ROBBER_DIGEST", "");

        assertThat(value(environment, "--piece-size", "--piece-size=64K")).isEqualTo(65536);
        assertThat(value(environment, "--piece-size")).isEqualTo(1 << 20);
        assertThat(value(environment, "--memory")).isEqualTo(8L << 20);
        assertThat(value(environment, "--digest")).isEqualTo("crc32-pair");
        assertThat(value(environment, "--progress")).isEqualTo(ProgressMode.AUTO);
        assertThat(value(environment, "--progress", "--progress=json")).isEqualTo(ProgressMode.JSON);
    }

    @Test
    void switchesComeFromTheEnvironmentAndAreNotToggledByAFlag() {
        assertThat(value(Map.of("ROBBER_DRY_RUN", "true"), "--dry-run")).isEqualTo(true);
        assertThat(value(Map.of("ROBBER_DRY_RUN", "true"), "--dry-run", "-n")).isEqualTo(true);
        assertThat(value(Map.of("ROBBER_DRY_RUN", "false"), "--dry-run", "-n")).isEqualTo(true);
        assertThat(value(Map.of(), "--dry-run")).isEqualTo(false);
    }

    /** The parser inverts the default of a switch that does not say what it means. */
    @Test
    void noSwitchIsTurnedOffByBeingSetTwice() {
        Main.commandLine(Map.of()).getSubcommands().forEach((name, command) -> {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (EnvironmentDefaults.isRead(option) && option.type() == boolean.class) {
                    assertThat(setTwice(command, option))
                            .as("%s of %s", option.longestName(), name)
                            .isEqualTo(true);
                }
            }
        });
    }

    private static Object setTwice(CommandLine command, OptionSpec option) {
        String name = command.getCommandName();
        List<String> arguments = new ArrayList<>(List.of(name, option.longestName()));
        command.getCommandSpec()
                .positionalParameters()
                .forEach(parameter ->
                        arguments.addAll(Collections.nCopies(parameter.arity().min(), "a")));
        CommandLine again = Main.commandLine(Map.of(EnvironmentDefaults.variable(option), "true"));
        again.parseArgs(arguments.toArray(String[]::new));
        return again.getSubcommands()
                .get(name)
                .getCommandSpec()
                .findOption(option.longestName())
                .getValue();
    }

    /** Each node has a standard output of its own, and the command has one. */
    @Test
    void hostsOfTheEnvironmentWriteNoStreamToStandardOutput() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int exitCode = Main.execute(
                Map.of("ROBBER_HOSTS", "node1", "ROBBER_SSH", "false"),
                "/no/such",
                List.of("replicate", "-", "-"),
                new StatusConsole(new PrintStream(said, true, StandardCharsets.UTF_8)));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("DEST - is the standard output of each node");
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void ofOptionsThatExcludeEachOtherThatOfTheCommandLineCounts() {
        Map<String, String> hostfile = Map.of("ROBBER_HOSTFILE", "/no/such/file");
        Map<String, String> local = Map.of("ROBBER_LOCAL", "1x1");
        assertThat(said(hostfile, "replicate", "-w", "node[", "a", "b")).contains("-w: ");
        assertThat(said(local, "verify", "-w", "node[", "b")).contains("-w: ");
        assertThat(said(local, "probe", "--hostfile=/no/such/file")).contains("--hostfile: ");
        assertThat(said(Map.of("ROBBER_QUIET", "true"), "replicate", "-v", "-w", "node[", "a", "b"))
                .contains("-w: ");
        assertThat(said(Map.of(), "replicate", "--local=1x1", "--launcher=serve", "a", "b"))
                .contains("error: --launcher is for hosts: leave it out if all nodes are on this machine\n");
        assertThat(said(local, "replicate", "--ssh=ssh -v", "a", "b"))
                .contains("error: --ssh is for hosts: leave it out if all nodes are on this machine\n");
        assertThat(said(Map.of("ROBBER_SSH", "ssh -v"), "replicate", "--local=1x1", "", "b"))
                .as("a variable may be for other jobs")
                .contains("error: SRC is an empty name");
        assertThat(said(Map.of(), "verify", "--local=1x1", "-w", "node", "b"))
                .contains("error: use --local or -w, not both\n");
        assertThat(said(Map.of("ROBBER_HOSTS", "node", "ROBBER_LOCAL", "1x1"), "replicate", "--root=5", "a", "b"))
                .as("of variables, that for nodes of this machine")
                .contains("--root=5: there is no node 5");
        assertThat(said(Map.of("ROBBER_HOSTS", "node", "ROBBER_HOSTFILE", "f"), "replicate", "a", "b"))
                .contains("use -w or --hostfile, not both (from ROBBER_HOSTS and ROBBER_HOSTFILE)");
    }

    /** Java would use another name. */
    @Test
    void namesThatAreNotUtf8AreRefused() {
        String name = "J\uFFFD";
        assertThat(said(Map.of(), "replicate", "--local=1x1", "a", name)).contains("DEST is not UTF-8");
        assertThat(said(Map.of(), "join", "robber://job@node:1", name)).contains("(DEST): the name is not UTF-8");
        assertThat(said(Map.of(), "verify", "--local=1x1", name)).contains("(DEST): the name is not UTF-8");
        assertThat(said(Map.of(), "replicate", "--local=1x1", "--state-dir=" + name, "a", "b"))
                .contains("--state-dir: the name is not UTF-8");
        assertThat(said(Map.of(), "emulate", "--report=", "s.json")).contains("--report: the name is empty");
    }

    @Test
    void valuesThatAreNoNumbersAreRefusedInWords() {
        for (String option : List.of("--seed", "--faults")) {
            assertThat(said(Map.of(), "emulate", option + "=abc", "s.json"))
                    .contains(option + ": 'abc' is not a whole number below 2^63, such as 7");
        }
        assertThat(said(Map.of(), "emulate", "--cores=2", "--core-speed=fast", "s.json"))
                .contains("--core-speed: 'fast' is not a number, such as 1.5");
    }

    @Test
    void emptyNamesOfFilesAreRefused() {
        for (String option : List.of("--bandwidths", "--hostfile")) {
            assertThat(said(Map.of(), "replicate", option + "=", "a", "b")).contains(option + ": the name is empty");
        }
    }

    /** The answer of a command with a wrong argument, in this environment. */
    private static String said(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        StatusConsole console = new StatusConsole(new PrintStream(said, true, StandardCharsets.UTF_8));
        assertThat(Main.execute(environment, "/no/such", List.of(arguments), console))
                .isEqualTo(2);
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void limitsOfSendingWithoutRepairAreWarnedOf(@TempDir Path folder) {
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        warnings.start();
        Logger logger = (Logger) LoggerFactory.getLogger(VerifyCommand.class);
        logger.addAppender(warnings);
        try {
            List<String> verify = List.of("verify", "--local=1x1", "--bwlimit=1M", "--nice", folder.toString());
            Map<String, String> environment = Map.of("ROBBER_WAN_BWLIMIT", "1M", "ROBBER_STATE_DIR", folder.toString());
            StatusConsole console = new StatusConsole(new PrintStream(OutputStream.nullOutputStream()));
            assertThat(Main.execute(environment, "/no/such", verify, console)).isEqualTo(3);
        } finally {
            logger.detachAppender(warnings);
        }
        assertThat(warnings.list)
                .extracting(event -> event.getFormattedMessage().replaceFirst(" has no effect without --repair.*", ""))
                .containsExactly("--bwlimit", "--nice");
    }

    /** The error says it: what a library logs of its sockets says nothing to users. */
    @Test
    void aCongestionControlThatIsNotThereIsNamedOnce(@TempDir Path folder) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("io.netty");
        logger.addAppender(log);
        try {
            List<String> verify = List.of("verify", "--local=1x1", "--congestion=no-such", folder.toString());
            StatusConsole console = new StatusConsole(new PrintStream(OutputStream.nullOutputStream()));
            assertThat(Main.execute(Map.of(), "/no/such", verify, console)).isEqualTo(2);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }

    /** With hosts, it only says where rank 0 listens. */
    @Test
    void anAddressAloneIsNoLauncher() {
        HostOptions hosts = new HostOptions();
        new CommandLine(new HostsAlone(hosts))
                .setDefaultValueProvider(new EnvironmentDefaults(Map.of("ROBBER_HOSTS", "node1")))
                .parseArgs();
        assertThat(hosts.toStart(Map.of("ROBBER_URI", "robber://job@10.0.0.1:7")))
                .hasSize(1);
        assertThat(hosts.toStart(Map.of("ROBBER_RANK", "0"))).isEmpty();
    }

    @Test
    void aFileOfHostsIsReadOnce(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("hosts"), "me@node1");
        HostOptions hosts = new HostOptions();
        new CommandLine(new HostsAlone(hosts)).parseArgs("--launcher=serve", "--hostfile=" + file);
        List<ListedHost> listed = hosts.toStart(Map.of());
        Files.delete(file);
        assertThatThrownBy(() -> hosts.starter(listed, () -> new StartRequest("", ""), new byte[0]))
                .hasMessageContaining("daemons know no users");
    }

    /** A command with these options alone. */
    @Command
    private static final class HostsAlone {
        @Mixin
        @SuppressWarnings("UnusedVariable") // read by the parser
        private final HostOptions hosts;

        HostsAlone(HostOptions hosts) {
            this.hosts = hosts;
        }
    }

    @Test
    void filtersKeepTheirOrder() {
        assertThat(rules(Map.of(), "--exclude=a", "--include", "b,c", "--exclude=a", "--exclude-from=f", "--include=d"))
                .containsExactly(
                        new RuleText(Kind.EXCLUDE, "a"),
                        new RuleText(Kind.INCLUDE, "b,c"),
                        new RuleText(Kind.EXCLUDE, "a"),
                        new RuleText(Kind.EXCLUDE_FROM, "f"),
                        new RuleText(Kind.INCLUDE, "d"));
        assertThat(rules(Map.of())).isEmpty();
        Map<String, String> environment = Map.of("ROBBER_EXCLUDE", "a\nb");
        assertThat(rules(environment, "--include=c"))
                .containsExactlyInAnyOrder(
                        new RuleText(Kind.EXCLUDE, "a"),
                        new RuleText(Kind.EXCLUDE, "b"),
                        new RuleText(Kind.INCLUDE, "c"));
        assertThat(rules(environment, "--exclude=c")).containsExactly(new RuleText(Kind.EXCLUDE, "c"));
    }

    private static List<RuleText> rules(Map<String, String> environment, String... arguments) {
        FilterOptions filters = new FilterOptions();
        new CommandLine(filters)
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .parseArgs(arguments);
        return filters.selection().rules();
    }

    @Test
    void everyLongOptionHasAVariable() {
        List<String> variables =
                Main.commandLine(Map.of()).getSubcommands().get("replicate").getCommandSpec().options().stream()
                        .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                        .map(EnvironmentDefaults::variable)
                        .toList();

        assertThat(variables)
                .containsExactlyInAnyOrder(
                        "ROBBER_ROOT",
                        "ROBBER_INCLUDE",
                        "ROBBER_EXCLUDE",
                        "ROBBER_EXCLUDE_FROM",
                        "ROBBER_FILES_FROM",
                        "ROBBER_DELETE",
                        "ROBBER_CONFIG",
                        "ROBBER_LOCAL",
                        "ROBBER_HOSTS",
                        "ROBBER_HOSTFILE",
                        "ROBBER_LAUNCHER",
                        "ROBBER_SSH",
                        "ROBBER_SSH_FANOUT",
                        "ROBBER_REMOTE_JAVA",
                        "ROBBER_STRATEGY",
                        "ROBBER_BANDWIDTHS",
                        "ROBBER_PIECE_SIZE",
                        "ROBBER_DIGEST",
                        "ROBBER_MEMORY",
                        "ROBBER_REQUEST_WINDOW",
                        "ROBBER_BWLIMIT",
                        "ROBBER_WAN_BWLIMIT",
                        "ROBBER_NICE",
                        "ROBBER_ON_FAILURE",
                        "ROBBER_MIN_SUCCESS",
                        "ROBBER_DEADLINE",
                        "ROBBER_CONNECT_TIMEOUT",
                        "ROBBER_IDLE_TIMEOUT",
                        "ROBBER_CONGESTION",
                        "ROBBER_CLUSTER_BY",
                        "ROBBER_RELAY",
                        "ROBBER_DATA_ADDRESS",
                        "ROBBER_DATA_PORTS",
                        "ROBBER_STALL_TIMEOUT",
                        "ROBBER_SECRET_FILE",
                        "ROBBER_TLS",
                        "ROBBER_TLS_CERT",
                        "ROBBER_TLS_KEY",
                        "ROBBER_TLS_CA",
                        "ROBBER_DRY_RUN",
                        "ROBBER_RESTART",
                        "ROBBER_CHECKSUM",
                        "ROBBER_FSYNC",
                        "ROBBER_STATE_DIR",
                        "ROBBER_PROGRESS",
                        "ROBBER_OUTPUT",
                        "ROBBER_REPORT",
                        "ROBBER_METRICS",
                        "ROBBER_VERBOSE",
                        "ROBBER_QUIET");
    }

    @Test
    void optionsThatNobodySeesHaveNoVariable() {
        Map<String, String> environment =
                Map.of("ROBBER_VERSION", "0.1.0", "ROBBER_HELP", "true", "ROBBER_LAUNCHED", "job");
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine(environment).setOut(new PrintWriter(text));

        command.parseArgs("replicate", "source", "destination");
        assertThat(command.execute("--version")).isZero();
        assertThat(text.toString()).startsWith("robber-cli ");
        for (String name : command.getSubcommands().keySet()) {
            for (OptionSpec option :
                    command.getSubcommands().get(name).getCommandSpec().options()) {
                if (option.hidden() || option.usageHelp() || option.versionHelp()) {
                    assertThat(new EnvironmentDefaults(environment).value(option))
                            .as("%s of %s", option.longestName(), name)
                            .isNull();
                }
            }
        }
    }

    @Test
    void experimentsReadNoVariableOfJobs() {
        CommandLine command = Main.commandLine(Map.of());
        List<String> ofJobs = variables(command, "replicate", "verify", "join");
        List<String> ofExperiments = new ArrayList<>(variables(command, "emulate"));
        // the one file of the user has values for all commands
        assertThat(ofExperiments.remove("ROBBER_CONFIG")).isTrue();

        assertThat(ofJobs).contains("ROBBER_REPORT", "ROBBER_DEADLINE");
        assertThat(ofExperiments)
                .contains("ROBBER_LAB_REPORT", "ROBBER_LAB_DEADLINE")
                .doesNotContainAnyElementsOf(ofJobs);
    }

    private static List<String> variables(CommandLine root, String... commands) {
        return Stream.of(commands)
                .flatMap(name -> root.getSubcommands().get(name).getCommandSpec().options().stream())
                .filter(EnvironmentDefaults::isRead)
                .map(EnvironmentDefaults::variable)
                .toList();
    }

    @Test
    void verifyAndJoinTakeWhatReplicateTakes() {
        CommandLine command = Main.commandLine(Map.of());
        for (String name : List.of("replicate", "verify", "join")) {
            assertThat(command.getSubcommands().get(name).getCommandSpec().optionsMap())
                    .as(name)
                    .containsKeys("--tls", "--tls-cert", "--tls-key", "--tls-ca", "--secret-file")
                    .containsKeys("--progress", "-q", "-v", "-o", "--report", "--deadline")
                    .containsKeys("--connect-timeout", "--idle-timeout", "--state-dir");
        }
    }

    @Test
    void badUsageEndsWithTwo() {
        for (String[] arguments : new String[][] {
            {},
            {"replicat"},
            {"replicate"},
            {"replicate", "source"},
            {"replicate", "source", "destination", "more"},
            {"replicate", "--unknown", "source", "destination"},
            {"replicate", "--piece-size=1X", "source", "destination"},
            {"replicate", "--piece-size=2G", "source", "destination"},
            {"replicate", "--memory=1M", "source", "destination"},
            {"replicate", "--memory=8M", "--piece-size=9M", "source", "destination"},
            {"replicate", "--request-window=0", "source", "destination"},
            {"replicate", "--bwlimit=0", "source", "destination"},
            {"replicate", "--wan-bwlimit=5Pbit", "source", "destination"},
            {"replicate", "--strategy=none", "source", "destination"},
            {"replicate", "--strategy=bittorrent:fast", "source", "destination"},
            {"replicate", "--strategy=balanced", "--bandwidths=/no/such/file", "source", "destination"},
            {"replicate", "--digest=md5", "source", "destination"},
            {"replicate", "--progress=loud", "source", "destination"},
            {"replicate", "--local=2", "source", "destination"},
            {"replicate", "--local=1x2", "--on-failure=ignore", "source", "destination"},
            {"replicate", "--local=1x2", "--min-success=0", "source", "destination"},
            {"replicate", "--local=1x2", "--min-success=3", "source", "destination"},
            {"replicate", "--local=1x2", "--min-success=101%", "source", "destination"},
            {"replicate", "--local=1x2", "--min-success=half", "source", "destination"},
            {"replicate", "--local=1x2", "--min-success=2", "--on-failure=abort", "source", "destination"},
            {"replicate", "--local=1x2", "--idle-timeout=100ms", "source", "destination"},
            {"replicate", "--local=1x2", "--stall-timeout=0s", "source", "destination"},
            {"replicate", "--local=1x2", "--tls=perhaps", "source", "destination"},
            {"replicate", "--local=1x2", "--tls-cert=cert.pem", "source", "destination"},
            {"replicate", "--local=1x2", "--secret-file=secret", "source", "destination"},
            {"verify", "--local=1x2", "--secret-file=secret", "destination"},
            {"verify", "--local=1x2", "-w", "node1", "destination"},
            {"verify", "--local=1x2", "--cluster-by=rtt", "destination"},
            {"verify", "--repair", "-w", "node1", "destination"},
            {"verify", "--launcher=serve", "-w", "node1", "destination"},
            {"verify", "--repair", ""},
            {"replicate", "-w", "node[1-", "source", "destination"},
            {"replicate", "-w", "node", "--local=1x2", "source", "destination"},
            {"replicate", "-w", "node", "--hostfile=hosts", "source", "destination"},
            {"replicate", "--hostfile=/no/such/file", "source", "destination"},
            {"replicate", "-w", "node", "--ssh=ssh -i 'key", "source", "destination"},
            {"replicate", "-w", "node", "--ssh-fanout=0", "source", "destination"},
            {"replicate", "-w", "node", "--tls-cert=cert.pem", "source", "destination"},
            {"replicate", "-w", "node", "--secret-file=/no/such/file", "source", "destination"},
            {"replicate", "-w", "node", "--min-success=3", "source", "destination"},
            {"replicate", "-v", "-q", "source", "destination"},
            {"replicate", "", "destination"},
            {"replicate", "--cluster-by=rtt", "--local=1x1", "source", "destination"},
            {"replicate", "--cluster-by=switch", "-w", "a", "source", "destination"},
            {"replicate", "--local=1x1", "source\uFFFD", "destination"},
            {"replicate", "--local=1x1", "source", "destination\uFFFD"},
            {"replicate", "--local=1x1", "--delete", "--files-from=list", "source", "destination"},
            {"replicate", "--local=1x1", "--files-from=", "source", "destination"},
            {"probe", "--local=1x2", "--report=page.html"},
            {"probe", "-w", "node", "--launcher=serve"},
            {"doctor", "--bandwidth=0"},
            {"doctor", "--rtt=20"},
            {"doctor", "--nodes=0"},
            {"doctor", "--data-size=1G"},
            {"doctor", "--files=5"},
            {"doctor", "-o", "yaml"},
            {"doctor", ""},
            {"doctor", "one", "two"},
            {"join", "robber://job@host:1"},
            {"join", "host:1", "destination"},
            {"join", "robber://job:password@host:1", "destination"},
            {"join", "robber://job@host:1", ""},
            {"join", "--memory=1M", "robber://job@host:1", "destination"},
            {"join", "--idle-timeout=10ms", "robber://job@host:1", "destination"},
            {"join", "--tls=perhaps", "robber://job@host:1", "destination"},
        }) {
            assertThat(Main.commandLine(Map.of()).execute(arguments))
                    .as("%s", List.of(arguments))
                    .isEqualTo(2);
        }
    }

    @Test
    void aJobThatIsNowhereCannotBeJoined() throws IOException {
        String uri = "robber://job@127.0.0.1:" + FreePort.find();
        assertThat(Main.commandLine(Map.of()).execute("join", "--connect-timeout=200ms", uri, "destination"))
                .isEqualTo(4);
        assertThat(Main.commandLine(Map.of()).execute("join", "--report=/no/such/folder/file", uri, "destination"))
                .as("found before the job is asked")
                .isEqualTo(6);
    }

    @Test
    void anUnknownStrategyIsAnsweredWithTheKnownOnes() {
        assertThat(errors("replicate", "--local=1x1", "--strategy=rober", "source", "destination"))
                .contains(
                        "no strategy is called 'rober'",
                        "bittorrent, chain, flat",
                        "mob, multilayer, multitcp, robber");
        assertThat(errors("replicate", "--local=1x1", "--strategy=bittorrent:rare", "source", "destination"))
                .contains("no option 'rare'", "biased, endgame, rarest");
    }

    @Test
    void whatIsNoneOfSeveralWordsIsAnsweredWithThem() {
        assertThat(said("replicate", "--on-failure=maybe", "source", "destination"))
                .startsWith("robber-cli: error: --on-failure: 'maybe' is unknown: use continue, abort\n");
        assertThat(said("emulate", "a.json", "--collective=gather,broadcast"))
                .startsWith("robber-cli: error: --collective: 'broadcast' is unknown:"
                        + " use multicast, multi-root, striping, allgather, scatter, gather, alltoall,"
                        + " reduce, allreduce, reducescatter, scan, exscan\n");
    }

    /** Everything that the command says of a wrong argument. */
    @Test
    void doctorTakesAsManyFilesAsATreeMayHave() {
        assertThat(errors("doctor", "--files=16777216")).contains("need a DEST");
        assertThat(errors("doctor", "--files=16777217")).contains("not a whole number from 1 to 16777216");
    }

    /** Else the first job would fail, at the operator. */
    @Test
    void aDaemonThatCouldStartNoNodeDoesNotStart() {
        assertThat(said("serve", "--allow=/tmp", "--listen=127.0.0.1:17699", "--data-address=10.1.0.0/99"))
                .contains("--data-address: the data address 10.1.0.0/99 is no network");
        assertThat(said("serve", "--allow=/tmp", "--listen=127.0.0.1:17699", "--state-dir=/dev/null"))
                .contains("--state-dir: no records can be kept in /dev/null", "/dev/null is no folder");
        assertThat(said("serve", "--allow=/tmp", "--listen=127.0.0.1:17699", "--state-dir=/dev/null/robber"))
                .contains("/dev/null is no folder");
    }

    private static String said(String... arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        EnvironmentDefaults environment = new EnvironmentDefaults(Map.of());
        CommandLine command = Main.commandLine(Map.of())
                .setParameterExceptionHandler(new UsageErrors(
                        new StatusConsole(new PrintStream(said, true, StandardCharsets.UTF_8)), environment));
        assertThat(command.execute(arguments)).isEqualTo(2);
        return said.toString(StandardCharsets.UTF_8);
    }

    private static String errors(String... arguments) {
        StringBuilder text = new StringBuilder();
        CommandLine command = Main.commandLine(Map.of()).setParameterExceptionHandler((problem, unused) -> {
            text.append(problem.getMessage());
            return 2;
        });
        assertThat(command.execute(arguments)).isEqualTo(2);
        return text.toString();
    }

    @Test
    void helpVersionAndCompletionGoToStandardOutput() {
        assertThat(output("help")).contains("replicate", "completion");
        assertThat(output("help", "replicate")).contains("--local", "--deadline", "ROBBER_PIECE_SIZE", "Exit codes:");
        assertThat(output("replicate", "--help")).contains("--local").doesNotContain("--launched");
        assertThat(output("--version")).startsWith("robber-cli ");
        assertThat(output("completion")).contains("complete", "robber-cli");
    }

    @Test
    void theCompletionIsACommandLikeAllOthers() {
        assertThat(output("completion", "--help")).contains("Usage: robber-cli completion");
        assertThat(output("completion", "-V")).startsWith("robber-cli ");
        assertThat(output("completion")).doesNotContain("generate-completion");
    }

    /** In the script, a label stands for the values of an option. */
    @Test
    void optionsWithDifferentValuesHaveDifferentLabels() {
        Main.commandLine(Map.of()).getSubcommands().forEach((name, command) -> {
            Map<String, List<String>> values = new HashMap<>();
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (option.completionCandidates() != null) {
                    List<String> own = new ArrayList<>();
                    option.completionCandidates().forEach(own::add);
                    List<String> others = values.putIfAbsent(option.paramLabel(), own);
                    assertThat(others == null ? own : others)
                            .as("%s %s", name, option.longestName())
                            .isEqualTo(own);
                }
            }
        });
    }

    @Test
    void everyTextOfTheHelpIsAFormatThatCanBePrinted() {
        Main.commandLine(Map.of()).getSubcommands().forEach((name, command) -> {
            UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            for (String[] lines : new String[][] {usage.description(), usage.footer()}) {
                for (String line : lines) {
                    assertThat(String.format(line)).as(name).doesNotContain("%n");
                }
            }
        });
    }

    @Test
    void theDoctorExaminesThisMachine() throws IOException {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine(Map.of()).setOut(new PrintWriter(text));
        int exitCode = command.execute("doctor", "--rtt=100h", "--bandwidth=4Gbit", "-o", "json");
        assertThat(ReportSchema.problems(text.toString(), "doctor.schema.json")).isEmpty();
        assertThat(exitCode).isEqualTo(9);
        assertThat(text.toString()).contains("net.ipv4.tcp_rmem='").doesNotContain("cannot be read");
    }

    private static String output(String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine(Map.of()).setOut(new PrintWriter(text));
        assertThat(command.execute(arguments)).isZero();
        return text.toString();
    }

    private static Object value(Map<String, String> environment, String name, String... flags) {
        CommandLine command = Main.commandLine(environment);
        String[] arguments = new String[flags.length + 3];
        arguments[0] = "replicate";
        System.arraycopy(flags, 0, arguments, 1, flags.length);
        arguments[flags.length + 1] = "source";
        arguments[flags.length + 2] = "destination";
        command.parseArgs(arguments);
        OptionSpec option =
                command.getSubcommands().get("replicate").getCommandSpec().findOption(name);
        return option.getValue();
    }
}
