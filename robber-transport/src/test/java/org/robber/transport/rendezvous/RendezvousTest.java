package org.robber.transport.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.transport.rendezvous.TestJob.failure;
import static org.robber.transport.rendezvous.TestJob.get;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.Greeting;
import org.robber.core.wire.GreetingCodec;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
import org.robber.transport.rankzero.RendezvousListener;
import org.robber.transport.security.Credentials;

/** How nodes come together, and who is refused, over real sockets. */
class RendezvousTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    @AfterEach
    void nothingLeaks() {
        leaks.check();
    }

    @Test
    void everyoneGetsTheSameRosterInOrderOfRanks() throws Exception {
        try (TestJob job = new TestJob(5)) {
            List<Future<ControlPlane>> joining = new ArrayList<>();
            for (int rank = 0; rank < 5; rank++) {
                joining.add(job.join(job.options(rank).withCluster(rank == 3 ? "A" : null)));
            }
            Roster roster = get(joining.get(0)).roster();

            for (int rank = 0; rank < 5; rank++) {
                assertThat(get(joining.get(rank)).rank()).isEqualTo(rank);
                assertThat(get(joining.get(rank)).roster()).isEqualTo(roster);
            }
            assertThat(roster.members()).extracting(Member::cluster).containsExactly("B", "B", "B", "A", "B");
            assertThat(roster.members()).extracting(Member::dataPort).containsExactly(4000, 4001, 4002, 4003, 4004);
            assertThat(roster.members()).allSatisfy(member -> {
                assertThat(InetAddress.getByName(member.dataAddress()).isLoopbackAddress())
                        .isTrue();
                assertThat(member.processId()).isEqualTo(ProcessHandle.current().pid());
                assertThat(member.host()).isNotEmpty();
            });
        }
    }

    @Test
    void nodesOfOneMachineGoByOneAddress() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<Future<ControlPlane>> joining = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                // The others come from 127.0.0.1.
                joining.add(job.join(job.options(rank, "127.0.1.1")));
            }
            for (Future<ControlPlane> each : joining) {
                assertThat(get(each).roster().members())
                        .extracting(Member::dataAddress)
                        .containsOnly("127.0.1.1");
            }
        }
    }

    @Test
    void rankZeroBehindAnotherAddressListensAtAllOfItsOwn() throws Exception {
        try (TestJob job = new TestJob(2)) {
            // An address for documentation, which no machine has.
            Future<ControlPlane> zero = job.join(job.options(0, "192.0.2.1"));
            Future<ControlPlane> one = job.join(job.options(1));

            assertThat(get(zero).roster().members()).hasSize(2);
            assertThat(get(one).roster()).isEqualTo(get(zero).roster());
        }
    }

    @Test
    void seedsDiffer() throws Exception {
        long first;
        try (TestJob job = new TestJob(1)) {
            first = job.start().get(0).roster().seed();
        }
        try (TestJob job = new TestJob(1)) {
            assertThat(job.start().get(0).roster().seed()).isNotEqualTo(first);
        }
    }

    @Test
    void nodesMayComeBeforeRankZero() throws Exception {
        int port;
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> one;
            try (ServerSocket early = new ServerSocket()) {
                early.setReuseAddress(true);
                early.bind(new InetSocketAddress(InetAddress.getByName("localhost"), 0));
                port = early.getLocalPort();
                one = job.run(() -> Rendezvous.join(
                        job.options(1).withPort(port), Credentials.of(job.options(1)), job.sockets(), List.of(""), 1));
                early.accept().close();
            }
            Future<ControlPlane> zero = job.join(job.options(0).withPort(port));
            assertThat(job.port()).isEqualTo(port);

            assertThat(get(zero).roster().members()).hasSize(2);
            get(one).close();
        }
    }

    @Test
    void aJobWithoutRankZeroNamesIt() throws Exception {
        int port = freePort();
        try (TestJob job = new TestJob(2)) {
            JobOptions options = job.options(1).withPort(port).withConnectTimeout(Duration.ofMillis(300));
            RobberException failure = failure(
                    job.run(() -> Rendezvous.join(options, Credentials.of(options), job.sockets(), List.of(""), 1)));

            assertThat(failure.reason()).isEqualTo(Reason.TOO_FEW_NODES);
            assertThat(failure.ranks()).containsExactly(0);
            assertThat(failure.phase()).isEqualTo("connect");
            assertThat(failure).hasMessageContainingAll("localhost:" + port, "0.3 s: Connection refused");
        }
    }

    @Test
    void aRankZeroThatSaysNothingIsNamedAndWhatIsWrong() throws Exception {
        try (TestJob job = new TestJob(2);
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("localhost"))) {
            JobOptions options =
                    job.options(1).withPort(silent.getLocalPort()).withConnectTimeout(Duration.ofMillis(300));
            RobberException failure = failure(
                    job.run(() -> Rendezvous.join(options, Credentials.of(options), job.sockets(), List.of(""), 1)));

            assertThat(failure.reason()).isEqualTo(Reason.TOO_FEW_NODES);
            assertThat(failure).hasMessageContainingAll("localhost:" + silent.getLocalPort(), " within 0.3 s: ");
            assertThat(failure).hasMessageNotContaining("null");
        }
    }

    @Test
    void aRankZeroThatIsLostWhileNodesWaitIsNamed() throws Exception {
        try (TestJob job = new TestJob(2)) {
            JobOptions options = job.options(1).withConnectTimeout(Duration.ofMillis(300));
            Channel rankZero = rankZero(job, options, (link, message) -> link.close("lost"));
            RobberException failure = failure(job.run(() -> Rendezvous.join(
                    options.withPort(port(rankZero)), Credentials.of(options), job.sockets(), List.of(""), 1)));

            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure.ranks()).containsExactly(0);
            assertThat(failure).hasMessageContaining("was lost while this node waited");
            rankZero.close().sync();
        }
    }

    @Test
    void aNodeThatLosesRankZeroAfterALongWaitComesAgain() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Duration limit = Duration.ofMillis(500);
            JobOptions options = job.options(1).withConnectTimeout(limit);
            AtomicBoolean again = new AtomicBoolean();
            Channel rankZero = rankZero(job, options, (link, message) -> {
                if (again.getAndSet(true)) {
                    link.finish(new ControlMessage.Refuse(Reason.USAGE.exitCode(), "here again"));
                } else {
                    var unused = job.sockets()
                            .group()
                            .schedule(() -> link.close("lost"), 2 * limit.toMillis(), TimeUnit.MILLISECONDS);
                }
            });
            assertThat(failure(job.run(() -> Rendezvous.join(
                            options.withPort(port(rankZero)), Credentials.of(options), job.sockets(), List.of(""), 1))))
                    .hasMessage("here again");
            rankZero.close().sync();
        }
    }

    @Test
    void joinersTellTheNameThatTheirMachineHasForPeople() throws Exception {
        try (TestJob job = new TestJob(2)) {
            JobOptions options = job.options(1).withHostName("the blue one");
            Channel rankZero = rankZero(job, options, (link, message) -> {
                String name = message instanceof ControlMessage.Join join ? join.host() : "";
                link.finish(new ControlMessage.Refuse(Reason.USAGE.exitCode(), name));
            });
            assertThat(failure(job.run(() -> Rendezvous.joinLate(
                            options.withPort(port(rankZero)), Credentials.of(options), job.sockets(), List.of(""), 1))))
                    .hasMessage("the blue one");
            rankZero.close().sync();
        }
    }

    /** Does this with each node that announces itself. */
    private static Channel rankZero(TestJob job, JobOptions options, BiConsumer<ControlLink, ControlMessage> announced)
            throws Exception {
        ControlLinkListener listener = new ControlLinkListener() {
            @Override
            public void received(ControlLink link, ControlMessage message) {
                announced.accept(link, message);
            }

            @Override
            public void ended(ControlLink link, String why) {}
        };
        return job.sockets()
                .serverBootstrap()
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        ControlLink.on(
                                fresh,
                                fresh.eventLoop(),
                                "node",
                                Credentials.of(options).listening(),
                                ControlType.FROM_NEW_NODE,
                                Duration.ofMinutes(1),
                                listener);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
    }

    private static int port(Channel listening) {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Test
    void missingRanksAreNamed() throws Exception {
        try (TestJob job = new TestJob(5)) {
            RobberException failure = failure(job.join(job.options(0).withConnectTimeout(Duration.ofMillis(100))));

            assertThat(failure.reason()).isEqualTo(Reason.TOO_FEW_NODES);
            assertThat(failure.ranks()).containsExactly(1, 2, 3, 4);
            assertThat(failure.phase()).isEqualTo("connect");
            assertThat(failure).hasMessage("4 of 5 nodes did not come within 0.1 s: ranks 1-4");
        }
    }

    @Test
    void aWrongSecretIsAnErrorAtOnceAndDoesNotStopTheOthers() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RobberException failure = failure(job.join(job.options(1).withSecret(new byte[] {9})));

            assertThat(failure.reason()).isEqualTo(Reason.AUTHENTICATION);
            assertThat(failure.ranks()).contains(1);
            assertThat(failure).hasMessageContainingAll("secret differs", "ROBBER_SECRET_FILE");

            get(job.join(job.options(1)));
            get(zero);
        }
    }

    @Test
    void theSecondNodeOfARankIsRefused() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            get(job.join(job.options(1)));
            RobberException failure = failure(job.join(job.options(1)));

            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure.ranks()).containsExactly(1);
            assertThat(failure)
                    .hasMessageContainingAll(
                            "two nodes of one rank",
                            "pid " + ProcessHandle.current().pid());
            assertThat(get(zero).roster().members()).hasSize(2);
        }
    }

    @Test
    void theSecondNodeOfARankIsRefusedWhileOthersAreAwaited() throws Exception {
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode first = new RawNode(job.sockets(), job.options(1), job.port());
            first.say(RawNode.announce(job.options(1)));
            // It is in once a second one of another process is refused.
            RobberException failure = failure(job.join(job.options(1)));
            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContaining("host raw, pid 1234");
            get(job.join(job.options(2)));

            assertThat(get(zero).roster().members().get(1).host()).isEqualTo("raw");
            first.say(new ControlMessage.Goodbye());
        }
    }

    @Test
    void aNodeMayComeAgainOverANewConnectionUntilAllAreThere() throws Exception {
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode first = new RawNode(job.sockets(), job.options(1), job.port());
            first.say(RawNode.announce(job.options(1)));
            RawNode again = new RawNode(job.sockets(), job.options(1), job.port());
            again.say(RawNode.announce(job.options(1)));
            get(first.ended);
            get(job.join(job.options(2)));

            assertThat(get(zero).roster().members()).hasSize(3);
            again.say(new ControlMessage.Goodbye());
        }
    }

    @Test
    void rankZeroIsThereOnlyOnce() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode other = new RawNode(job.sockets(), job.options(0), job.port());
            other.say(RawNode.announce(job.options(0)));

            assertThat(other.heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS))
                    .asString()
                    .contains("rank 0 (host raw, pid 1234)");
            get(job.join(job.options(1)));
            get(zero);
        }
    }

    @Test
    void aNodeOfAnotherJobIsRefusedAndTheJobGoesOn() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            JobOptions other = JobOptions.of("other", "localhost", 0, 1, 7).withSecret(new byte[] {1, 2, 3});
            RobberException failure = failure(job.join(other));

            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContainingAll("'other'", "'test'", "rank 1");
            get(job.join(job.options(1)));
            get(zero);
        }
    }

    @Test
    void anotherSizeFailsTheJobAtOnce() throws Exception {
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode one = new RawNode(job.sockets(), job.options(1), job.port());
            one.say(RawNode.announce(job.options(1)));
            JobOptions other = JobOptions.of("test", "localhost", 0, 2, 4).withSecret(new byte[] {1, 2, 3});
            RobberException failure = failure(job.join(other));

            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContainingAll("rank 2", "4 nodes", "rank 0 in 3");
            assertThat(failure(zero)).hasMessage(failure.getMessage());
            assertThat(failure(zero).ranks()).startsWith(2);
            assertThat(one.heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Fail.class);
        }
    }

    @Test
    void otherSettingsFailTheJobAtOnce() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0).withSettings("strategy=robber"));
            RobberException failure = failure(job.join(job.options(1).withSettings("strategy=mob")));

            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure).hasMessageContainingAll("rank 1", "'strategy=mob'", "'strategy=robber'");
            assertThat(failure(zero)).hasMessage(failure.getMessage());
        }
    }

    @Test
    void anotherVersionIsNamedAtOnce() throws Exception {
        try (TestJob job = new TestJob(2);
                ServerSocket future = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            JobOptions options = job.options(1).withPort(future.getLocalPort());
            Future<ControlPlane> joining =
                    job.run(() -> Rendezvous.join(options, Credentials.of(options), job.sockets(), List.of(""), 1));
            try (Socket accepted = future.accept()) {
                accepted.getInputStream().readNBytes(GreetingCodec.HELLO_FRAME_BYTES);
                accepted.getOutputStream()
                        .write(GreetingCodec.encode(new Greeting.Challenge(
                                        Greeting.PROTOCOL_VERSION + 1, new byte[32], new byte[32], new byte[32]))
                                .array());
                RobberException failure = failure(joining);

                assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                assertThat(failure).hasMessageContainingAll("version 4", "version 3");
            }
        }
    }

    @Test
    void connectionsOfOthersAreClosedAndTheJobGoesOn() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            byte[] garbage = new byte[100];
            assertClosesAfter(job.port(), garbage);
            assertClosesAfter(
                    job.port(),
                    "GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Future<ControlPlane> one = job.join(job.options(1));
            get(zero);
            assertClosesAfter(job.port(), garbage);

            CompletableFuture<byte[]> released = get(zero).begin("barrier").arrive(new byte[0], p -> new byte[] {5});
            get(get(one).begin("barrier").arrive(new byte[0], p -> new byte[0]));
            assertThat(get(released)).containsExactly(5);
        }
    }

    @Test
    void membersThatSayNoSenseBeforeTheyAnnounceAreClosed() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            byte[] oversized = {0x7f, 0, 0, 0, 65};
            byte[] unknown = {0, 0, 0, 1, 99};
            byte[] notYet = {0, 0, 0, 1, 74};
            byte[] truncated = {0, 0, 0, 3, 65, 0, 9};
            for (byte[] bytes : List.of(oversized, unknown, notYet, truncated)) {
                RawNode node = new RawNode(job.sockets(), job.options(1), job.port());
                node.say(bytes);
                get(node.ended);
            }
            get(job.join(job.options(1)));
            get(zero);
        }
    }

    @Test
    void nodesGetInHoweverManyUnauthenticatedConnectionsWait() throws Exception {
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            List<Socket> silent = new ArrayList<>();
            Future<ControlPlane> one = null;
            for (int i = 0; i < 500; i++) {
                silent.add(new Socket(InetAddress.getByName("localhost"), job.port()));
                if (i == 250) {
                    one = job.join(job.options(1));
                }
            }
            // The first of those that only wait has lost its place to the others.
            silent.get(0).setSoTimeout(TestJob.LIMIT_SECONDS * 1000);
            assertThat(silent.get(0).getInputStream().read()).isEqualTo(-1);

            get(job.join(job.options(2)));
            get(one);
            get(zero);
            for (Socket each : silent) {
                each.close();
            }
        }
    }

    @Test
    void rankZeroSaysWhoFailedToProveTheSecret() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0).withConnectTimeout(Duration.ofSeconds(2)));
            RobberException wrong = failure(job.join(job.options(1).withSecret(new byte[] {9})));
            assertThat(wrong.reason()).isEqualTo(Reason.AUTHENTICATION);

            RobberException failure = failure(zero);
            assertThat(failure.reason()).isEqualTo(Reason.TOO_FEW_NODES);
            assertThat(failure).hasMessageContainingAll("rank 1", "a node from 127.0.0.1 failed to prove the secret");
        }
    }

    @Test
    void whoCannotListenSaysWhy() throws Exception {
        try (TestJob job = new TestJob(2);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            RobberException failure = failure(job.join(job.options(0).withPort(taken.getLocalPort())));

            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure)
                    .hasMessageContainingAll("cannot listen at localhost:" + taken.getLocalPort(), "set ROBBER_URI=");
        }
    }

    @Test
    void whatCannotBeSaidIsAUsageError() throws Exception {
        try (TestJob job = new TestJob(2)) {
            RobberException failure = failure(job.join(job.options(0).withSettings("x".repeat(100_000))));

            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContaining("settings");
        }
    }

    @Test
    void joiningCanBeInterrupted() throws Exception {
        try (TestJob job = new TestJob(3)) {
            CompletableFuture<RobberException> interrupted = new CompletableFuture<>();
            Thread zero = new Thread(() -> {
                try {
                    RendezvousListener.join(
                            job.options(0),
                            Credentials.of(job.options(0)),
                            job.sockets(),
                            List.of(""),
                            1,
                            port -> Thread.currentThread().interrupt());
                } catch (RobberException e) {
                    interrupted.complete(e);
                }
            });
            zero.start();

            assertThat(get(interrupted).reason()).isEqualTo(Reason.INTERRUPTED);
            zero.join(TestJob.LIMIT_SECONDS * 1000L);
            assertThat(zero.isAlive()).isFalse();
        }
    }

    /** A port at which nobody listens. */
    private static int freePort() throws Exception {
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            return unused.getLocalPort();
        }
    }

    private static void assertClosesAfter(int port, byte[] bytes) throws Exception {
        try (Socket socket = new Socket(InetAddress.getByName("localhost"), port)) {
            socket.setSoTimeout(TestJob.LIMIT_SECONDS * 1000);
            socket.getOutputStream().write(bytes);
            try {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            } catch (SocketException reset) {
                // As good: it was closed with bytes still unread.
                assertThat(reset).hasMessageContaining("reset");
            }
        }
    }
}
