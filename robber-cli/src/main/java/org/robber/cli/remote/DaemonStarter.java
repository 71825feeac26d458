package org.robber.cli.remote;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.progress.PrefixedLines;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.serve.StartRequest;
import org.robber.transport.security.Credentials;
import org.robber.transport.service.ServiceDialer;

/** Starts nodes through the daemons of their hosts. */
public final class DaemonStarter implements Starter {
    /** No daemon needs longer to let somebody in. */
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    private final ServiceDialer dialer;
    private final int port;
    private final int fanout;
    private final StartRequest request;

    /**
     * @param secret proven to the daemons; empty: none
     * @param port that they listen at
     */
    public DaemonStarter(byte[] secret, int port, int fanout, StartRequest request) {
        this.dialer = new ServiceDialer(Credentials.ofSecret(secret));
        this.port = port;
        this.fanout = fanout;
        this.request = request;
    }

    @Override
    public HostStart start(ListedHost host, Duration connect, StatusConsole console) {
        Duration limit = connect.compareTo(LONGEST_CONNECT) < 0 ? connect : LONGEST_CONNECT;
        return new DaemonStart(
                host,
                request,
                () -> dialer.connect(host.name(), port, limit),
                new PrefixedLines(host.address(), console, StandardCharsets.UTF_8));
    }

    @Override
    public int fanout() {
        return fanout;
    }

    @Override
    public void close() {
        dialer.close();
    }
}
