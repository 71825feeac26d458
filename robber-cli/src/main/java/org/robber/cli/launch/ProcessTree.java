package org.robber.cli.launch;

import java.util.List;

/** A process with all that it has started: a script that leads to a host may leave ssh running. */
public final class ProcessTree {

    private ProcessTree() {}

    /**
     * Ends all of them by force, unless the process has ended. Its last words must not be lost, and its number may be another's by now. A
     * child that outlived its parent is found only if that parent still runs.
     */
    public static void kill(Process process) {
        if (!process.isAlive()) {
            return;
        }
        List<ProcessHandle> children = process.descendants().toList();
        // without a parent nobody starts others
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
