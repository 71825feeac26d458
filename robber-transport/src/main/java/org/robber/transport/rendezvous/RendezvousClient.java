package org.robber.transport.rendezvous;

import com.google.common.collect.ImmutableList;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Join;
import org.robber.transport.control.ControlMessage.MeasureRoundTrip;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Refuse;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.RoundTripTimer;
import org.robber.transport.sockets.Sockets;

/**
 * Joins a job at rank 0: connects until rank 0 answers, announces this node, and waits for the roster. Errors that may pass are retried
 * until the connect timeout; all others fail at once. A node that loses rank 0 after a longer wait has that time anew.
 *
 * @param loop the event loop of the connection
 * @param rank of this node; none if it has none yet
 * @param announcement the first message of this node
 * @param <T> the result of joining
 */
record RendezvousClient<T>(
        JobOptions options,
        Credentials credentials,
        Sockets sockets,
        EventLoop loop,
        List<Integer> rank,
        ControlMessage announcement,
        Entry<T> entry) {
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final long LONGEST_ATTEMPT_MILLIS = 10_000;

    /** Of several addresses, one may not work at all; each may take twice as long the next time. */
    private static final long FIRST_ATTEMPT_MILLIS = 500;

    /** Makes the result of joining from the roster. */
    interface Entry<T> {
        /** Takes over the connection; null if this is not the roster that it should be. */
        @Nullable
        T enter(Roster roster, ControlLink link, EventLoop loop);
    }

    T join() {
        long deadlineNanos = System.nanoTime() + options.connectTimeout().toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        String trouble = "no attempt was made";
        boolean lost = false;
        try {
            for (int attempt = 0; ; attempt++) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (leftMillis <= 0) {
                    throw lost ? lost(trouble) : unreachable(trouble);
                }
                Attempt next = new Attempt();
                try {
                    List<InetAddress> addresses = Hosts.resolve(options.host());
                    int round = attempt / addresses.size();
                    long tcpMillis = addresses.size() == 1
                            ? LONGEST_ATTEMPT_MILLIS
                            : Math.min(LONGEST_ATTEMPT_MILLIS, FIRST_ATTEMPT_MILLIS << Math.min(round, Byte.SIZE));
                    return next.join(addresses.get(attempt % addresses.size()), tcpMillis, leftMillis);
                } catch (UnknownHostException e) {
                    trouble = "there is no host of this name";
                } catch (IOException e) {
                    trouble = Sockets.trouble(e);
                    lost |= next.announced;
                    // Not after each loss: a rank 0 that closes every connection would be asked for ever.
                    if (next.announced && System.nanoTime() - deadlineNanos > 0) {
                        deadlineNanos =
                                System.nanoTime() + options.connectTimeout().toNanos();
                    }
                }
                // Nodes that start together must not retry together.
                long jitterMillis = ThreadLocalRandom.current().nextLong(pauseMillis / 2 + 1);
                Thread.sleep(Math.min(pauseMillis / 2 + jitterMillis, Math.max(1, leftMillis)));
                pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ControlFailures.connecting(Reason.INTERRUPTED, rank, "this node was interrupted while it joined");
        }
    }

    private RobberException lost(String trouble) {
        return ControlFailures.connecting(
                Reason.NETWORK,
                List.of(0),
                "rank 0 at " + where() + " was lost while this node waited, and could not be reached again: "
                        + trouble);
    }

    private RobberException unreachable(String trouble) {
        return ControlFailures.connecting(
                Reason.TOO_FEW_NODES,
                List.of(0),
                "rank 0 could not be reached at " + where() + " within "
                        + ControlFailures.seconds(options.connectTimeout()) + ": " + trouble);
    }

    private String where() {
        return Hosts.withPort(options.host(), options.port());
    }

    /** One connection; its state belongs to the event loop. */
    private final class Attempt implements ControlLinkListener {
        private final CompletableFuture<T> joined = new CompletableFuture<>();
        private @Nullable Channel channel;
        private boolean announced;

        /** Throws an {@link IOException} where another attempt may do better. */
        T join(InetAddress address, long tcpMillis, long limitMillis) throws IOException, InterruptedException {
            loop.execute(() -> connect(address, tcpMillis, limitMillis));
            try {
                return joined.get();
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                if (cause instanceof RobberException refusal) {
                    throw refusal;
                }
                throw new IOException(cause.getMessage(), cause);
            } catch (InterruptedException e) {
                loop.execute(this::giveUp);
                throw e;
            }
        }

        private void connect(InetAddress address, long tcpMillis, long limitMillis) {
            var connected = sockets.bootstrap(loop)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(limitMillis, tcpMillis))
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel fresh) {
                            ControlLink.on(
                                    fresh,
                                    loop,
                                    "rank 0 at " + where(),
                                    credentials.connecting(),
                                    announcement instanceof Join ? ControlType.TO_JOINER : ControlType.TO_WAITING_NODE,
                                    options.silenceTimeout(),
                                    Attempt.this);
                        }
                    })
                    .connect(new InetSocketAddress(address, options.port()));
            channel = connected.channel();
            var unusedConnected = connected.addListener(done -> {
                if (!done.isSuccess()) {
                    joined.completeExceptionally(done.cause());
                }
            });
            // Rank 0 limits the time of nodes that have announced themselves.
            var limit = loop.schedule(
                    () -> {
                        if (!announced) {
                            joined.completeExceptionally(new ConnectTimeoutException("it did not answer"));
                            giveUp();
                        }
                    },
                    limitMillis,
                    TimeUnit.MILLISECONDS);
            var unusedLimit = joined.whenComplete((controlPlane, failure) -> limit.cancel(false));
        }

        private void giveUp() {
            if (channel != null) {
                var unused = channel.close();
            }
        }

        @Override
        public void greeted(ControlLink link) {
            announced = true;
            link.send(announcement);
        }

        @Override
        public void received(ControlLink link, ControlMessage message) {
            if (message instanceof MeasureRoundTrip question) {
                measure(question, link);
                return;
            }
            T entered = message instanceof Roster roster ? entry.enter(complete(roster, link), link, loop) : null;
            if (entered != null) {
                if (!joined.complete(entered)) {
                    giveUp();
                }
            } else if (message instanceof Refuse refuse) {
                refused(link, ControlFailures.connecting(Reason.ofExitCode(refuse.code()), rank, refuse.reason()));
            } else if (message instanceof Fail fail) {
                refused(link, ControlFailures.fromMessage(fail));
            } else {
                link.close("its first message was not the roster of this job");
            }
        }

        private void measure(MeasureRoundTrip question, ControlLink link) {
            InetAddress target = Hosts.numeric(question.address(), link.remoteAddress());
            var unused = RoundTripTimer.measure(sockets, new InetSocketAddress(target, question.port()))
                    .thenAccept(micros ->
                            Sockets.runOn(loop, () -> link.send(new RoundTrip(question.round(), micros))));
        }

        private void refused(ControlLink link, RobberException why) {
            joined.completeExceptionally(why);
            link.close("refused");
        }

        /** Rank 0 leaves out the addresses of its machine: this node has reached it, and so knows one. */
        private Roster complete(Roster roster, ControlLink link) {
            String ofRankZero = link.remoteAddress().getHostAddress();
            ImmutableList.Builder<Member> members = ImmutableList.builder();
            for (Member member : roster.members()) {
                members.add(new Member(
                        member.cluster(),
                        member.host(),
                        member.processId(),
                        member.dataAddresses().stream()
                                .map(address -> address.isEmpty() ? ofRankZero : address)
                                .distinct()
                                .collect(ImmutableList.toImmutableList()),
                        member.dataPort()));
            }
            return new Roster(roster.seed(), members.build());
        }

        @Override
        public void ended(ControlLink link, String why) {
            GreetingFailed greeting = link.greetingFailure();
            joined.completeExceptionally(greeting == null ? new IOException(why) : refusal(greeting));
        }

        private Exception refusal(GreetingFailed greeting) {
            return switch (greeting.kind()) {
                case NO_NODE, LEFT -> new IOException(greeting.reason());
                case VERSION ->
                    refusal(
                            Reason.USAGE,
                            "rank 0 at " + where() + " runs another version: " + greeting.reason()
                                    + "; install the same one on every node");
                case TLS ->
                    refusal(
                            Reason.AUTHENTICATION,
                            "no encrypted connection with rank 0 at " + where() + ": " + greeting.reason());
                case SECRET ->
                    refusal(
                            Reason.AUTHENTICATION,
                            "rank 0 at " + where() + " could not prove that it has our secret: the secret differs: is"
                                    + " ROBBER_SECRET_FILE the same on every node?");
            };
        }

        private RobberException refusal(Reason reason, String text) {
            List<Integer> both = new ArrayList<>(rank);
            both.add(0);
            return ControlFailures.connecting(reason, both, text);
        }
    }
}
