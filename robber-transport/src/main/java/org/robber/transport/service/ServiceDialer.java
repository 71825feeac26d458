package org.robber.transport.service;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.Liveness;
import org.robber.transport.sockets.Sockets;

/** Connects with daemons. Thread-safe. */
public final class ServiceDialer implements AutoCloseable {
    /** A connection to or from a service ends when the other system is silent for so long. */
    static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Sockets sockets = Sockets.open(1);
    private final Credentials credentials;

    /** @param credentials shown to the daemons */
    public ServiceDialer(Credentials credentials) {
        this.credentials = credentials;
    }

    /**
     * Connects, and proves the secret. Tries all addresses of the host, and again if the daemon has no place for one more connection at the moment.
     *
     * @param limit for all attempts together
     * @throws IOException that says why there is no connection, in words for people who know the host
     */
    public ServiceConnection connect(String host, int port, Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            IOException trouble = null;
            List<InetAddress> addresses = addresses(host);
            for (int i = 0; i < addresses.size(); i++) {
                try {
                    // an address that does not answer leaves time for the others
                    long shareNanos = (end - System.nanoTime()) / (addresses.size() - i);
                    return attempt(new InetSocketAddress(addresses.get(i), port), shareNanos);
                } catch (Refused e) {
                    throw e;
                } catch (IOException e) {
                    trouble = e;
                }
            }
            boolean mayPass = !(trouble instanceof ConnectException) && !(trouble instanceof SocketTimeoutException);
            if (!mayPass || System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis) > end) {
                throw told(trouble, port);
            }
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        }
    }

    private static List<InetAddress> addresses(String host) throws IOException {
        try {
            return Hosts.resolve(host);
        } catch (UnknownHostException e) {
            throw new IOException("there is no host of this name", e);
        }
    }

    private static IOException told(@Nullable IOException trouble, int port) {
        String why = trouble == null ? "it has no address" : Sockets.trouble(trouble);
        String text = trouble instanceof ConnectException
                ? why + ": does 'robber-cli serve' run there?"
                : "no connection with a daemon at port " + port + ": " + why;
        return new IOException(text, trouble);
    }

    /** A daemon that another attempt would not change. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    private ServiceConnection attempt(InetSocketAddress address, long limitNanos)
            throws IOException, InterruptedException {
        CompletableFuture<ServiceConnection> greeted = new CompletableFuture<>();
        ChannelFuture connected = sockets.bootstrap()
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(limitNanos)))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        credentials.connecting(),
                                        new ServiceHandler(new ServiceConnection(channel), new Greeted(greeted)));
                    }
                })
                .connect(address);
        var unused = connected.addListener(done -> {
            if (done.isSuccess()) {
                Liveness.watch(connected.channel(), SILENCE_LIMIT);
            } else {
                greeted.completeExceptionally(done.cause());
            }
        });
        try {
            return greeted.get(Math.max(1, limitNanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            leave(connected);
            throw e.getCause() instanceof IOException trouble ? trouble : new IOException(e.getCause());
        } catch (TimeoutException e) {
            leave(connected);
            throw new SocketTimeoutException("it did not answer");
        } catch (InterruptedException e) {
            leave(connected);
            throw e;
        }
    }

    private static void leave(ChannelFuture connected) {
        var unused = connected.channel().close();
    }

    private record Greeted(CompletableFuture<ServiceConnection> result) implements ServiceHandler.Listener {
        @Override
        public void greeted(ServiceConnection connection) {
            if (!result.complete(connection)) {
                connection.close();
            }
        }

        @Override
        public void failed(GreetingFailed why) {
            result.completeExceptionally(
                    switch (why.kind()) {
                        case NO_NODE, LEFT -> new IOException(why.reason());
                        case VERSION -> new Refused("its daemon is of another version: " + why.reason());
                        case TLS -> new Refused("no encrypted connection with its daemon: " + why.reason());
                        case SECRET ->
                            new Refused("its daemon has another secret: is the file of --secret-file the same here and"
                                    + " there?");
                    });
        }

        @Override
        public void begun(ServiceConnection connection) {
            // who connects speaks first
        }
    }

    /** Closes all connections. */
    @Override
    public void close() {
        sockets.close();
    }
}
