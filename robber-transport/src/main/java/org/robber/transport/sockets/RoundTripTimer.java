package org.robber.transport.sockets;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures the round-trip time to a port: the time of a TCP connection, which the kernel of the other side answers, whatever its process does. The
 * connection is closed at once. A port that refuses connections has answered, too.
 */
public final class RoundTripTimer {
    /** In place of a time, if there was no answer. */
    public static final long UNKNOWN_MICROS = Long.MAX_VALUE;

    private static final int ATTEMPTS = 5;
    private static final int ATTEMPT_LIMIT_MILLIS = 1000;
    private static final long FIRST_PAUSE_MILLIS = 2;

    /** As fast as a local network: further attempts would change nothing. */
    private static final long ENOUGH_MICROS = 1000;

    /** When the time is long, a delay of this process changes it little. */
    private static final long LONG_MICROS = 50_000;

    private final Sockets sockets;
    private final InetSocketAddress target;
    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private long bestMicros = UNKNOWN_MICROS;

    private RoundTripTimer(Sockets sockets, InetSocketAddress target) {
        this.sockets = sockets;
        this.target = target;
    }

    /**
     * Connects up to five times, with pauses that grow, and takes the shortest time: other work of this machine makes single attempts slow.
     *
     * @return microseconds, or {@link #UNKNOWN_MICROS}; completes within seconds, on a thread that must not be kept
     */
    public static CompletableFuture<Long> measure(Sockets sockets, InetSocketAddress target) {
        RoundTripTimer timer = new RoundTripTimer(sockets, target);
        timer.attempt(1);
        return timer.result;
    }

    private void attempt(int number) {
        long startNanos = System.nanoTime();
        ChannelFuture connecting = sockets.bootstrap()
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, ATTEMPT_LIMIT_MILLIS)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(target);
        var unused = connecting.addListener(done -> {
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
            boolean answered = done.isSuccess() || isRefusal(done.cause());
            if (answered) {
                bestMicros = Math.min(bestMicros, micros);
            }
            var unusedClose = connecting.channel().close();
            if (number == ATTEMPTS
                    || bestMicros <= ENOUGH_MICROS
                    || (micros >= LONG_MICROS && bestMicros < UNKNOWN_MICROS)) {
                result.complete(bestMicros);
            } else if (answered) {
                sockets.later(() -> attempt(number + 1), FIRST_PAUSE_MILLIS << number);
            } else if (number == 1 && done.cause() instanceof ConnectTimeoutException) {
                // A lost packet takes a second to be sent again.
                attempt(ATTEMPTS);
            } else {
                result.complete(bestMicros);
            }
        });
    }

    /** Whether the other side said no: that there is no route is known here at once, and tells no time. */
    private static boolean isRefusal(Throwable problem) {
        return problem instanceof ConnectException
                && !(problem instanceof ConnectTimeoutException)
                && String.valueOf(problem.getMessage()).contains("refused");
    }
}
