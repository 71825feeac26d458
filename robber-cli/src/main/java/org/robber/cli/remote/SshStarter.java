package org.robber.cli.remote;

import java.time.Duration;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.OwnCommand;
import org.robber.cli.progress.StatusConsole;

/** Starts nodes by ssh, and carries the program over where it is missing. */
public final class SshStarter implements Starter {
    private final SshSettings ssh;
    private final CarriedProgram program = CarriedProgram.ofThisProcess();
    private final StartScript script;

    /** @param ssh how hosts are reached */
    public SshStarter(SshSettings ssh) {
        this.ssh = ssh;
        this.script = StartScript.of(program, ssh.java(), OwnCommand.flags());
    }

    @Override
    public HostStart start(ListedHost host, Duration connect, StatusConsole console) {
        return new SshStart(host, ssh.toRun(host, script.command(), connect), script, program, console);
    }

    @Override
    public int fanout() {
        return ssh.fanout();
    }

    @Override
    public void close() {
        // The receiver of a process of ssh ends it.
    }
}
