package org.robber.cli.remote;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;

/** The start of a node on one host. {@link #run} has a thread of its own; the other methods are thread-safe. */
interface HostStart {

    /**
     * How it ended.
     *
     * @param start of the node on that host
     * @param process that leads to the node, or null if there is none
     * @param text the address of this machine, as the host sees it, or empty if it does not know; or why there is no node
     * @param reached the address of the host at which this machine reached it; empty if it does not know, or there is no node
     */
    record Outcome(HostStart start, @Nullable Process process, String text, String reached) {
        /** There is no node. */
        static Outcome none(HostStart start, String why) {
            return new Outcome(start, null, why, "");
        }

        ListedHost host() {
            return start.host();
        }
    }

    /** Where the node is to be. */
    ListedHost host();

    /** Starts the node, or finds out why there is none. */
    Outcome run();

    /** Ends it if nothing has come or gone for this long. */
    void giveUpIfSilent(Duration limit);

    /** Ends it, if the node has not been handed over yet. */
    void giveUp(String why);

    /** The last line of the standard error of what leads to the node, or of the node; empty if there was none. Only once that has ended. */
    String lastWords();
}
