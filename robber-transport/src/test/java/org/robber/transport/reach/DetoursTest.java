package org.robber.transport.reach;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.collect.ImmutableList;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.BackHello;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** Connections to nodes that cannot be connected to, over real sockets. A closed direction is a port at which nobody listens. */
class DetoursTest {
    private static final long LIMIT_SECONDS = 60;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final long SEED = 5;
    private static final int SIZE = 4;
    private static final int NOBODYS_PORT = 1;
    private static final String SECRET = "secret";

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();

    /** One node. */
    private final class Node {
        private final int rank;
        private final Sockets sockets = Sockets.open(2);
        private final PeerListener listener;
        private final PeerDialer dialer;
        private @Nullable RelayService service;
        private final List<Integer> asked = new ArrayList<>();
        private final CompletableFuture<Channel> came = new CompletableFuture<>();
        private final CompletableFuture<Long> token = new CompletableFuture<>();
        private volatile boolean isDeaf;

        Node(int rank, String secret) {
            this.rank = rank;
            JobOptions options =
                    JobOptions.of("test", "127.0.0.1", 0, rank, SIZE).withSecret(secret.getBytes(UTF_8));
            Credentials credentials = Credentials.of(options);
            listener = PeerListener.open(sockets, options, credentials);
            dialer = new PeerDialer(sockets, options, credentials, rank, SEED);
            listener.expect(0, (peer, channel) -> came.complete(channel));
        }

        void begin(List<String> relayNames) {
            RelayChoice choice = RelayChoice.of(relayNames, members);
            Detours.open(dialer, listener, () -> members, choice, this::ask);
            serve(choice, SIZE * SIZE);
            listener.identify(rank, new Roster(SEED, ImmutableList.copyOf(members)));
        }

        void serve(RelayChoice choice, int maxStreams) {
            service = new RelayService(dialer, listener, () -> members, choice, IDLE, maxStreams);
        }

        RelayService relays() {
            RelayService relays = service;
            assertThat(relays).isNotNull();
            return relays;
        }

        /** What rank 0 does. */
        private void ask(int peer, long token) {
            synchronized (asked) {
                asked.add(peer);
            }
            this.token.complete(token);
            Node other = nodes.get(peer);
            if (!other.isDeaf) {
                other.detours().connectBack(rank, token);
            }
        }

        private Detours detours() {
            Detours detours = dialer.detours();
            assertThat(detours).isNotNull();
            return detours;
        }

        /** Connects back, but never answers; completes when the other node has said what it wants, and the connection reads on. */
        CompletableFuture<Channel> connectSilently(int peer, long token) {
            CompletableFuture<Channel> connected = new CompletableFuture<>();
            BackHello hello = new BackHello("test", SEED, rank, token);
            EventLoop loop = dialer.loop();
            DirectWay way =
                    dialer.direct(loop, dialer.target(peer, members.get(peer), hello), null, new DirectWay.Owner() {
                        @Override
                        public ControlMessage greeted(Object attempt) {
                            return hello;
                        }

                        @Override
                        public boolean answered(Object attempt, Channel channel, ControlMessage answer) {
                            HandOver.to(channel);
                            return connected.complete(channel);
                        }

                        @Override
                        public void failed(Object attempt, IOException cause) {
                            connected.completeExceptionally(cause);
                        }

                        @Override
                        public void allFailed(IOException cause, boolean forGood) {
                            connected.completeExceptionally(cause);
                        }
                    });
            loop.execute(way::begin);
            return connected;
        }

        CompletableFuture<Channel> dial(int peer, Duration limit) {
            return dialer.dial(0, peer, members.get(peer), limit);
        }

        void close() {
            relays().close();
            listener.close();
            sockets.close();
        }
    }

    /** @param open whether others can connect to the node of this rank */
    private void start(String secret, List<String> relayNames, boolean... open) {
        for (int rank = 0; rank < open.length; rank++) {
            nodes.add(new Node(rank, secret));
            int port = open[rank] ? nodes.get(rank).listener.port() : NOBODYS_PORT;
            members.add(new Member(rank % 2 == 0 ? "A" : "B", "host" + rank, 1, "127.0.0.1", port));
        }
        nodes.forEach(node -> node.begin(relayNames));
    }

    @AfterEach
    void nothingLeaks() {
        nodes.forEach(Node::close);
        leaks.check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SECRET})
    void aNodeThatCannotBeReachedConnectsBack(String secret) throws Exception {
        start(secret, List.of(), true, false);

        Channel ours = get(nodes.get(0).dial(1, LIMIT));
        assertSameStream(ours, get(nodes.get(1).came));
        assertThat(nodes.get(0).asked).containsOnly(1);
    }

    @Test
    void aNodeThatConnectsBackAndIsSilentIsAskedAgain() throws Exception {
        start("", List.of(RelayChoice.NONE), true, false);
        nodes.get(1).isDeaf = true;
        CompletableFuture<Channel> dial = nodes.get(0).dial(1, LIMIT);
        Channel silent = get(nodes.get(1).connectSilently(0, get(nodes.get(0).token)));
        nodes.get(1).isDeaf = false;

        assertSameStream(get(dial), get(nodes.get(1).came));
        assertThat(silent.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Each node numbers its requests from 1. */
    @Test
    void peersThatAskWithTheSameTokenAreBothConnectedTo() throws Exception {
        start("", List.of(RelayChoice.NONE), true, false, true);
        nodes.get(1).isDeaf = true;
        CompletableFuture<Channel> ours = nodes.get(0).dial(1, LIMIT);
        CompletableFuture<Channel> others = nodes.get(2).dial(1, LIMIT);
        long token = get(nodes.get(0).token);
        assertThat(get(nodes.get(2).token)).isEqualTo(token);

        nodes.get(1).detours().connectBack(0, token);
        nodes.get(1).detours().connectBack(2, token);
        assertThat(get(ours).isActive()).isTrue();
        assertThat(get(others).isActive()).isTrue();
    }

    @Test
    void aDialThatEndsClosesWhatHasConnectedBack() throws Exception {
        start("", List.of(RelayChoice.NONE), true, false);
        nodes.get(1).isDeaf = true;
        CompletableFuture<Channel> dial = nodes.get(0).dial(1, LIMIT);
        Channel silent = get(nodes.get(1).connectSilently(0, get(nodes.get(0).token)));

        assertThat(dial.cancel(false)).isTrue();
        assertThat(silent.closeFuture().await(RelayWay.EACH_LIMIT.toMillis() / 2, TimeUnit.MILLISECONDS))
                .isTrue();
    }

    @Test
    void nobodyAsksForWhatIsOpen() throws Exception {
        start("", List.of(), true, true);

        assertSameStream(get(nodes.get(0).dial(1, LIMIT)), get(nodes.get(1).came));
        assertThat(nodes.get(0).asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SECRET})
    void nodesThatCannotReachEachOtherUseARelay(String secret) throws Exception {
        start(secret, List.of(), false, false, true);

        Channel ours = get(nodes.get(0).dial(1, LIMIT));
        assertSameStream(ours, get(nodes.get(1).came));
        // Nothing is known of a way without a relay.
        assertThat(nodes.get(1).detours().routes().to(0)).isNull();
        long carried = nodes.get(2).relays().carriedBytes();
        assertThat(carried).isGreaterThan(2L * Streams.BYTES);
        assertThat(nodes.get(0).relays().carriedBytes()).isZero();
    }

    @Test
    void aRelayThatEndsEndsTheConnectionAndTheNextTakesItsPlace() throws Exception {
        start("", List.of(), false, false, true, true);
        Channel first = get(nodes.get(0).dial(1, LIMIT));
        Node used = nodes.get(2).relays().isCarrying() ? nodes.get(2) : nodes.get(3);
        used.listener.close();
        used.sockets.close();
        assertThat(first.config().setAutoRead(true).isAutoRead()).isTrue();
        assertThat(first.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Channel> second = new CompletableFuture<>();
        nodes.get(1).listener.expect(1, (peer, channel) -> second.complete(channel));

        Channel again = get(nodes.get(0).dialer.dial(1, 1, members.get(1), LIMIT));
        assertSameStream(again, get(second));
    }

    @Test
    void onlyTheNamedNodesAreRelays() throws Exception {
        start("", List.of("B-1"), false, false, true, true);

        assertSameStream(get(nodes.get(0).dial(1, LIMIT)), get(nodes.get(1).came));
        assertThat(nodes.get(3).relays().carriedBytes()).isGreaterThan(Streams.BYTES);
        assertThat(nodes.get(2).relays().carriedBytes()).isZero();
    }

    @Test
    void aRelayThatIsFullRefusesUntilAStreamEnds() throws Exception {
        start("", List.of(), false, false, true);
        Node relay = nodes.get(2);
        relay.serve(RelayChoice.of(List.of(), members), 1);
        Channel first = get(nodes.get(0).dial(1, LIMIT));
        CompletableFuture<Channel> second = new CompletableFuture<>();
        nodes.get(1).listener.expect(1, (peer, channel) -> second.complete(channel));

        assertThatThrownBy(() -> get(nodes.get(0).dialer.dial(1, 1, members.get(1), Duration.ofSeconds(4))))
                .hasMessageContaining("rank 2 is no relay: it has 1 streams or dials for others, and takes no more");
        first.close();
        assertSameStream(get(nodes.get(0).dialer.dial(1, 1, members.get(1), LIMIT)), get(second));
    }

    @Test
    void withoutAnyWayTheErrorSaysWhatWasTried() {
        start("", List.of(), false, false, true);
        nodes.get(1).isDeaf = true;

        assertThatThrownBy(() -> get(nodes.get(0).dial(1, Duration.ofSeconds(12))))
                .hasMessageContaining("no connection to 127.0.0.1:1 after 12.0 s: ")
                .hasMessageContaining("; nor did it connect back when it was asked to; ")
                .hasMessageContaining("a relay failed, the last because rank 2 is no relay: it has no connection to");
    }

    @Test
    void relaysThatRefuseAreAskedOnceInARound() {
        start("", List.of(), false, false, true, true);
        nodes.get(1).isDeaf = true;
        nodes.get(2).relays().close();
        nodes.get(3).relays().close();

        // After 3 s, and every 2 s from then on.
        Throwable failure = catchThrowable(() -> get(nodes.get(0).dial(1, Duration.ofSeconds(10))));
        Matcher times = Pattern.compile("; (\\d+) times a relay failed").matcher(String.valueOf(failure.getMessage()));
        assertThat(times.find()).isTrue();
        assertThat(Integer.parseInt(times.group(1))).isBetween(2, 8);
    }

    @Test
    void aNodeThatNamesNoRelaysHasNone() {
        start("", List.of(RelayChoice.NONE), false, false, true);
        nodes.get(1).isDeaf = true;

        assertThatThrownBy(() -> get(nodes.get(0).dial(1, Duration.ofSeconds(5))))
                .hasMessageContaining("no relay answered");
        assertThat(nodes.get(2).relays().carriedBytes()).isZero();
    }

    @Test
    void relaysHaveNames() {
        List<Member> three = List.of(node("A", "a"), node("A", "b"), node("B", "c"));
        assertThat(chosen(three)).containsExactly(0, 1, 2);
        assertThat(chosen(three, "1")).containsExactly(1);
        assertThat(chosen(three, "A-1", "c")).containsExactly(1, 2);
        assertThat(chosen(three, "A")).containsExactly(0, 1);
        assertThat(chosen(three, RelayChoice.NONE)).isEmpty();
        assertThatThrownBy(() -> chosen(three, "3"))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("the relay '3' is no node of the job: name a rank below 3, a node such as A-0");
    }

    private static Member node(String cluster, String host) {
        return new Member(cluster, host, 1, "127.0.0.1", 1);
    }

    private static List<Integer> chosen(List<Member> nodes, String... names) {
        RelayChoice choice = RelayChoice.of(List.of(names), nodes);
        return IntStream.range(0, nodes.size()).filter(choice::allows).boxed().toList();
    }

    private static void assertSameStream(Channel one, Channel other) throws Exception {
        Streams there = Streams.begin(one, 1);
        Streams back = Streams.begin(other, 2);
        assertThat(get(there.received)).isEqualTo(Streams.hash(2));
        assertThat(get(back.received)).isEqualTo(Streams.hash(1));
        one.close();
        assertThat(other.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Sends random bytes, and receives those of the other side. */
    private static final class Streams extends ChannelInboundHandlerAdapter {
        static final int BYTES = 20_000_000;

        private final CompletableFuture<Long> received = new CompletableFuture<>();
        private long count;
        private long hash;

        static Streams begin(Channel channel, long seed) {
            Streams streams = new Streams();
            channel.eventLoop().execute(() -> {
                PlacedReceive.large(channel);
                HandOver.to(channel, streams);
                channel.writeAndFlush(Unpooled.wrappedBuffer(bytes(seed)));
            });
            return streams;
        }

        static long hash(long seed) {
            long hash = 0;
            for (byte each : bytes(seed)) {
                hash = 31 * hash + each;
            }
            return hash;
        }

        private static byte[] bytes(long seed) {
            byte[] bytes = new byte[BYTES];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            count += bytes.readableBytes();
            while (bytes.isReadable()) {
                hash = 31 * hash + bytes.readByte();
            }
            bytes.release();
            if (count == BYTES) {
                received.complete(hash);
            }
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
