package org.robber.cli.remote;

import java.time.Duration;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.progress.StatusConsole;

/** A way to start nodes on other hosts. */
public interface Starter extends AutoCloseable {

    /**
     * Prepares the start of a node.
     *
     * @param connect how long the job waits for its nodes
     * @param console shown what the node says to people
     */
    HostStart start(ListedHost host, Duration connect, StatusConsole console);

    /** Most hosts that are being started at a time. */
    int fanout();

    /** Ends what leads to the nodes. */
    @Override
    void close();
}
