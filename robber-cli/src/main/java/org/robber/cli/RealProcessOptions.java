package org.robber.cli;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;
import org.robber.cli.launch.OwnCommand;
import org.robber.cli.option.CheckedOptions;
import org.robber.emulation.runner.RunSettings;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.WanKind;
import picocli.CommandLine.Option;

/** Options of the testbed, which runs real processes. */
final class RealProcessOptions extends CheckedOptions {

    @Option(
            names = "--testbed",
            fallbackValue = "true",
            arity = "0",
            description = "Run real processes in network namespaces of this machine, one per node; needs root.")
    private boolean testbed;

    @Option(names = "--backend", hidden = true)
    private Backend backend = Backend.SIM;

    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            description = "In the testbed: the shell command of each node, in place of robber-cli replicate.")
    private @Nullable String command;

    @Option(
            names = "--encrypt",
            fallbackValue = "true",
            arity = "0",
            description = "In the testbed: give the nodes a secret, so that their connections are encrypted (TLS).")
    private boolean encrypt;

    @Option(
            names = "--congestion",
            paramLabel = "NAME",
            description = "In the testbed: congestion control of TCP, such as cubic or bbr. Default: as this machine.")
    private @Nullable String congestion;

    @Option(
            names = "--wan",
            paramLabel = "KIND",
            description = "In the testbed: what emulates the links between clusters: tun (default), a process of the"
                    + " testbed; or netem, the kernel's.")
    private @Nullable WanKind wan;

    @Option(
            names = "--reserve-memory",
            fallbackValue = "true",
            arity = "0",
            description = "In the testbed: touch the memory of a run before it starts, for virtual machines whose host"
                    + " takes free memory back.")
    private boolean reserveMemory;

    /** The values of the alias of {@code --testbed}. */
    private enum Backend {
        SIM,
        TESTBED
    }

    /** Whether real processes run. */
    boolean testbed() {
        return testbed || backend == Backend.TESTBED;
    }

    /** The command of each node, or null. */
    @Nullable
    String command() {
        return command;
    }

    /** Refuses options of the testbed for the simulator. */
    void check() {
        if (encrypt && command != null) {
            throw bad("--encrypt does not encrypt what the programs of --exec send: leave it out");
        }
        if (!testbed() && (command != null || encrypt || congestion != null || wan != null || reserveMemory)) {
            throw bad(
                    "--exec, --encrypt, --congestion, --wan and --reserve-memory work only in the testbed: add --testbed");
        }
    }

    /** The settings of the testbed, or null for the simulator. */
    RunSettings.@Nullable InTestbed settings() {
        if (!testbed()) {
            return null;
        }
        return new RunSettings.InTestbed(
                command,
                encrypt,
                new TestbedOptions.Choices(wan == null ? WanKind.TUN : wan, congestion, reserveMemory),
                ImmutableList.<String>builder()
                        .addAll(OwnCommand.java())
                        .addAll(OwnCommand.program())
                        .build());
    }
}
