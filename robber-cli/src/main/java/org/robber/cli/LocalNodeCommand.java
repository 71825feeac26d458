package org.robber.cli;

import java.util.concurrent.Callable;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalRun;
import picocli.CommandLine.Command;

/** One node of a job on this machine, started by {@code replicate --local}; not for people. */
@Command(name = LocalRun.COMMAND, hidden = true, description = "A node that 'replicate --local' has started.")
final class LocalNodeCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        return LaunchedNode.runLocal(System.getenv());
    }
}
