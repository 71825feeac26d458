package org.robber.cli.option;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.ListedHosts;
import org.robber.cli.launch.LocalShape;
import org.robber.cli.remote.DaemonStarter;
import org.robber.cli.remote.SshSettings;
import org.robber.cli.remote.SshStarter;
import org.robber.cli.remote.Starter;
import org.robber.cli.serve.StartRequest;
import org.robber.transport.launch.LaunchEnvironment;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The hosts that nodes are started on, and how. */
public final class HostOptions extends CheckedOptions {

    private static final int FIRST = -2;

    /** Options that say how nodes are started there. */
    private static final List<String> STARTING = List.of("--launcher", "--ssh", "--ssh-fanout", "--remote-java");

    @Option(
            names = {"-w", "--hosts"},
            order = FIRST,
            paramLabel = "LIST",
            description = "Start a node on each of these hosts: A:node[01-16],B:gpu[001-064]. A: and B: name clusters"
                    + " and can be left out. Rank 0 is on this machine, and writes no copy.")
    private @Nullable String hosts;

    @Option(
            names = "--hostfile",
            order = FIRST,
            paramLabel = "FILE",
            description = "The same for the hosts of a file, with a list in each line. After # comes a comment.")
    private @Nullable Path hostfile;

    @Option(
            names = "--launcher",
            order = FIRST,
            paramLabel = "HOW",
            defaultValue = "ssh",
            converter = LauncherText.class,
            description =
                    "How to start them: ssh, serve or serve:PORT. serve asks the daemons of 'robber-cli serve' there,"
                            + " which have the secret of --secret-file, and receive copies alone. Default:"
                            + " ${DEFAULT-VALUE}.")
    private LauncherText.Launcher launcher = new LauncherText.Launcher(0);

    @Option(
            names = "--ssh",
            order = FIRST,
            paramLabel = "COMMAND",
            defaultValue = "ssh",
            description = "How to reach hosts, such as 'ssh -F conf -i key'. Default: ${DEFAULT-VALUE}.")
    private String ssh = "";

    @Option(
            names = "--ssh-fanout",
            order = FIRST,
            paramLabel = "N",
            defaultValue = "32",
            converter = CountText.class,
            description = "How many nodes to start at a time. Default: ${DEFAULT-VALUE}.")
    private int fanout;

    @Option(
            names = "--remote-java",
            order = FIRST,
            paramLabel = "FILE",
            defaultValue = "",
            description = "The program java on those hosts. Default: that of their JAVA_HOME, or else their PATH.")
    private String java = "";

    /**
     * The shape of a job on this machine, or null if its nodes are elsewhere. Off the command line, a shape wins over hosts.
     *
     * @throws ParameterException if both are on the command line
     */
    public @Nullable LocalShape shape(LocalOption local) {
        LocalShape shape = local.shape();
        if (shape == null) {
            return null;
        }
        boolean hasHosts = hosts != null || hostfile != null;
        boolean isLocal = !hasHosts || firstCountsUnlessBothGiven("--local", namesList() ? "-w" : "--hostfile");
        if (isLocal) {
            refuse(STARTING, name -> name + " is for hosts: leave it out if all nodes are on this machine");
        }
        return isLocal ? shape : null;
    }

    /**
     * The hosts that this process starts nodes on; empty if it starts none. Those that are not on the command line are for processes
     * that nothing else has started.
     *
     * @param variables of this process
     */
    public List<ListedHost> toStart(Map<String, String> variables) {
        // With hosts, it says where rank 0 listens.
        Map<String, String> ofLauncher = new HashMap<>(variables);
        ofLauncher.remove("ROBBER_URI");
        boolean given = isGiven("-w") || isGiven("--hostfile");
        return given || !LaunchEnvironment.of(ofLauncher).isPresent() ? hosts() : List.of();
    }

    private List<ListedHost> hosts() {
        boolean list = namesList();
        try {
            return list && hosts != null
                    ? ListedHosts.parse(hosts)
                    : hostfile != null ? ListedHosts.read(hostfile) : List.of();
        } catch (IllegalArgumentException e) {
            throw bad((list ? "-w: " : "--hostfile: ") + e.getMessage());
        }
    }

    private boolean namesList() {
        return hosts != null && (hostfile == null || firstCounts("-w", "--hostfile"));
    }

    /**
     * What starts nodes there.
     *
     * @param listed the hosts {@link #toStart}: their file may be a pipe, which is read once
     * @param request to daemons, asked for if there are some
     * @param secret proven to daemons; empty: none
     */
    public Starter starter(List<ListedHost> listed, Supplier<StartRequest> request, byte[] secret) {
        if (launcher.isSsh()) {
            return new SshStarter(ssh());
        }
        refuse(List.of("--ssh", "--remote-java"), name -> name + " is for ssh: leave it out with --launcher=serve");
        for (ListedHost host : listed) {
            if (!host.name().equals(host.address())) {
                throw bad(host.address() + ": daemons know no users: leave out what is before the @");
            }
        }
        return new DaemonStarter(secret, launcher.port(), fanout, request.get());
    }

    /** Starts nodes of jobs that daemons do not run. A variable or a configuration file may name daemons for copies: they do not make this wrong. */
    public Starter sshStarter() {
        if (startsByDaemons() && isGiven("--launcher")) {
            throw bad("daemons only receive copies: use --launcher=ssh");
        }
        return new SshStarter(ssh());
    }

    /** Whether daemons start nodes, and not ssh. */
    public boolean startsByDaemons() {
        return !launcher.isSsh();
    }

    private SshSettings ssh() {
        try {
            return new SshSettings(SshSettings.words(ssh), fanout, java);
        } catch (IllegalArgumentException e) {
            throw bad("--ssh: " + e.getMessage());
        }
    }
}
