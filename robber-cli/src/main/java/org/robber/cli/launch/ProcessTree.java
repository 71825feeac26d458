package org.robber.cli.launch;

import java.util.List;

/** A process with all that it has started: a script that leads to a host may leave ssh running. */
public final class ProcessTree {

    private ProcessTree() {}

    /** Ends all of them by force. A child that outlived its parent is found only if that parent still runs. */
    public static void kill(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        // without a parent nobody starts others
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
