package org.robber.cli.serve;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.robber.cli.launch.HostTerms;

/**
 * How a daemon works.
 *
 * @param address where it listens, unless the service manager hands over a socket
 * @param secret that operators must prove; empty: none
 * @param terms of its nodes
 * @param mostJobs at a time
 * @param stopLimit how long jobs may go on when the daemon is told to end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and a secret must not be copied around as text
public record ServeSettings(
        InetSocketAddress address, byte[] secret, HostTerms terms, int mostJobs, Duration stopLimit) {

    /** Without the secret. */
    @Override
    public String toString() {
        return "ServeSettings[" + address + ", " + terms + ", " + mostJobs + " jobs, " + stopLimit + "]";
    }
}
