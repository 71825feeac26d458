package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.BackHello;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node needs to reach nodes that it cannot connect to, and to be reached by those that cannot connect to it: the way to ask others to connect back, and what it
 * knows of relays. Thread-safe.
 */
public final class Detours {
    private static final Logger LOG = LoggerFactory.getLogger(Detours.class);

    /** How long to try to connect back. The other side asks again. */
    private static final Duration BACK_LIMIT = Duration.ofSeconds(10);

    private final PeerDialer dialer;
    private final PeerListener listener;
    private final Supplier<List<Member>> everyone;
    private final Asker asker;
    private final RelayChoice relays;
    private final KnownRoutes routes;
    private final AtomicLong lastToken = new AtomicLong();

    /** The takers of connections that this node has asked others to make to it, each by a token. */
    private final Map<Long, Consumer<Channel>> expected = new ConcurrentHashMap<>();

    /** The requests that this node connects back for at this moment. */
    private final Set<Request> backs = ConcurrentHashMap.newKeySet();

    /** A peer asks to be connected to, by a token of its own: two peers may use the same one. */
    private record Request(int peer, long token) {}

    /** Sends a {@link ControlMessage.CallBack} through rank 0. */
    public interface Asker {
        /** Asks the node to connect to this one, with this token. */
        void ask(int rank, long token);
    }

    private Detours(
            PeerDialer dialer,
            PeerListener listener,
            Supplier<List<Member>> everyone,
            RelayChoice relays,
            Asker asker) {
        this.dialer = dialer;
        this.listener = listener;
        this.everyone = everyone;
        this.relays = relays;
        this.asker = asker;
        this.routes = new KnownRoutes(dialer.rank(), everyone);
    }

    /**
     * Lets the dialer take detours from now on.
     *
     * @param listener gets the connections that other nodes make because they were asked to
     * @param everyone all nodes that this one knows, by rank; may become more
     * @param relays which nodes may be relays
     */
    public static Detours open(
            PeerDialer dialer,
            PeerListener listener,
            Supplier<List<Member>> everyone,
            RelayChoice relays,
            Asker asker) {
        Detours detours = new Detours(dialer, listener, everyone, relays, asker);
        listener.take(detours);
        dialer.take(detours);
        return detours;
    }

    /**
     * Expects connections that others are asked to make.
     *
     * @param taker gets them, on their event loops
     * @return the token by which they are known
     */
    long expect(Consumer<Channel> taker) {
        long token = lastToken.incrementAndGet();
        expected.put(token, taker);
        return token;
    }

    /** Connections of this token are not wanted any more. */
    void forget(long token) {
        expected.remove(token);
    }

    /** A node has connected, as it was asked to; returns whether the connection is wanted. */
    boolean came(long token, Channel channel) {
        Consumer<Channel> taker = expected.get(token);
        if (taker != null) {
            taker.accept(channel);
        }
        return taker != null;
    }

    KnownRoutes routes() {
        return routes;
    }

    void ask(int peer, long token) {
        LOG.debug("asks rank {} to connect back", peer);
        asker.ask(peer, token);
    }

    List<Integer> relaysTo(int peer) {
        return routes.relaysTo(peer).stream().filter(relays::allows).toList();
    }

    Member member(int rank) {
        return everyone.get().get(rank);
    }

    /** The node is lost to the job. */
    public void lose(int rank) {
        routes.lose(rank);
    }

    /** A node as messages for people name it. */
    String describe(int rank) {
        List<Member> nodes = everyone.get();
        return "rank " + rank + (rank < nodes.size() ? " (" + nodes.get(rank).host() + ")" : "");
    }

    /** A node asks this one to connect to it. */
    public void connectBack(int peer, long token) {
        List<Member> nodes = everyone.get();
        if (peer >= nodes.size() || peer == dialer.rank()) {
            return;
        }
        BackHello hello = new BackHello(dialer.job(), dialer.seed(), dialer.rank(), token);
        Request request = new Request(peer, token);
        if (backs.add(request)) {
            LOG.debug("connects back to rank {}", peer);
            EventLoop loop = dialer.loop();
            boolean unused = Sockets.runOn(
                    loop, () -> new Back(loop, dialer.target(peer, nodes.get(peer), hello), hello, request).begin());
        }
    }

    /** The attempts to connect back to one node. Belongs to an event loop. */
    private final class Back implements DirectWay.Owner {
        private final EventLoop loop;
        private final DirectWay way;
        private final BackHello hello;
        private final Request request;

        Back(EventLoop loop, Target target, BackHello hello, Request request) {
            this.loop = loop;
            this.hello = hello;
            this.request = request;
            this.way = dialer.direct(loop, target, null, this);
        }

        void begin() {
            way.begin();
            loop.schedule(this::end, BACK_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void end() {
            way.end();
            backs.remove(request);
        }

        @Override
        public @Nullable ControlMessage greeted(Object attempt) {
            return hello;
        }

        @Override
        public boolean answered(Object attempt, Channel channel, ControlMessage answer) {
            // The other side goes on as if it had connected.
            end();
            listener.opened(channel, answer, /* relayed= */ false);
            return true;
        }

        @Override
        public void failed(Object attempt, IOException cause) {
            LOG.debug("cannot connect back", cause);
        }

        @Override
        public void allFailed(IOException cause, boolean forGood) {
            end();
        }
    }
}
