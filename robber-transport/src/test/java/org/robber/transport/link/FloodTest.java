package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.MessageType;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.BufferLeaks;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;
import org.robber.transport.sockets.Sockets;

/** Peers that send without end, or read nothing, over real sockets: the memory that they take is bounded. */
class FloodTest {
    private static final int PIECES = 100_000;
    private static final int LIMIT_SECONDS = 60;
    private static final int SOCKET_BUFFER_BYTES = 64 << 10;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Begin BEGIN = new Begin(0, 0, PIECES, 1, "scripted", "xxh3-128");

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();
    private final PieceHasher hasher = PieceHashers.named("xxh3-128");
    private final PieceLayout layout = new PieceLayout(PIECES, 1);
    private final MessageCodec codec = new MessageCodec(layout, hasher.digestBytes());
    private final PieceSet dense = PieceSet.empty(PIECES);
    private final Sockets sockets = Sockets.open(2);
    private final DefaultEventExecutor executor = new DefaultEventExecutor();
    private final LossRecorder losses = new LossRecorder();
    private final List<Transfer> transfers = new ArrayList<>();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final Channel listening;

    FloodTest() {
        for (int piece = 0; piece < PIECES; piece += 2) {
            dense.add(piece);
        }
        listening = sockets.serverBootstrap()
                .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
                .childOption(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel);
                        accepted.add(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    private static void prepare(Channel channel) {
        channel.config().setAutoRead(false);
        PlacedReceive.install(channel);
    }

    @AfterEach
    void close() {
        transfers.forEach(transfer -> transfer.close(new IllegalStateException("the test is over")));
        sockets.close();
        executor.shutdownGracefully().awaitUninterruptibly();
        leaks.check();
    }

    /** A machine that answers what can be answered, and nothing else; {@link #begin} is what it says first. */
    private class Machine extends TestMachine {
        private final AtomicInteger heard = new AtomicInteger();

        Machine() {
            super(PIECES);
        }

        List<Action> begin() {
            return List.of();
        }

        List<Action> answer(Message message) {
            if (message instanceof Message.Desire) {
                return List.of(new Action.Send(1, new Message.Bitfield(dense)));
            }
            if (message instanceof Message.Steal) {
                return List.of(new Action.Send(1, new Message.Work(dense)));
            }
            return message instanceof Message.Request request
                    ? List.of(new Action.Send(1, new Message.Reject(request.piece())))
                    : List.of();
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            if (event instanceof Event.Received received) {
                heard.incrementAndGet();
                return answer(received.message());
            }
            return event instanceof Event.PeerReady ? begin() : List.of();
        }
    }

    /** The node under attack, which knows its peer by the number 1. */
    private PeerLink serve(Channel channel, MulticastNode machine, Duration idleTimeout) throws Exception {
        PeerLink link = new PeerLink(1, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), losses);
        Transfer transfer = new TestPieces(PIECES).transfer(machine, /* root= */ false, PIECES, executor);
        transfers.add(transfer);
        transfer.start();
        channel.eventLoop()
                .submit(() -> {
                    link.open(idleTimeout, LONG);
                    link.begin(BEGIN, transfer, 1);
                })
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        return link;
    }

    private Channel accept() throws Exception {
        Channel channel = accepted.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(channel).isNotNull();
        return channel;
    }

    private java.nio.channels.SocketChannel flooder() throws Exception {
        java.nio.channels.SocketChannel flooder = java.nio.channels.SocketChannel.open();
        flooder.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
        flooder.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
        flooder.connect(listening.localAddress());
        return flooder;
    }

    private ByteBuffer frames(int count, Message message, MessageCodec with) {
        ByteBuffer frames = ByteBuffer.allocate(count * with.encodedBytes(message));
        for (int i = 0; i < count; i++) {
            with.encode(message, frames);
        }
        return frames.flip();
    }

    private static byte[] bytes(ByteBuffer frames) {
        byte[] bytes = new byte[frames.limit()];
        frames.get(0, bytes);
        return bytes;
    }

    /** Writes as much as the other side takes until it has stopped reading for good; returns how much was written. */
    private long flood(java.nio.channels.SocketChannel flooder, Message message, Callable<Boolean> hasStopped)
            throws Exception {
        flooder.write(frames(1, BEGIN, MessageCodec.betweenMulticasts()));
        flooder.configureBlocking(false);
        ByteBuffer chunk = frames(10_000, message, codec);
        long written = 0;
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        // The rest of a frame is written before the next begins, so a whole chunk is written each time.
        while (System.nanoTime() < endNanos) {
            boolean stopped = hasStopped.call();
            int bytes = flooder.write(chunk);
            written += bytes;
            if (bytes == 0 && stopped) {
                return written;
            }
            if (!chunk.hasRemaining()) {
                chunk.rewind();
            }
        }
        throw new AssertionError("the flood is read without end: " + written + " bytes so far");
    }

    private void checkLoss(String why) {
        await().atMost(Duration.ofSeconds(LIMIT_SECONDS)).untilAsserted(() -> {
            assertThat(losses.losses()).containsExactly(why);
        });
    }

    private static long pendingBytes(Channel channel) throws Exception {
        return channel.eventLoop()
                .submit(() -> {
                    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
                    return pending == null ? 0 : pending.totalPendingWriteBytes();
                })
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Whether the connection is still not read when the strategy has handled all messages and the event loop knows it. */
    private boolean isStoppedByUnsentAnswers(Channel channel) throws Exception {
        executor.submit(() -> {}).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        return channel.eventLoop().submit(() -> !channel.config().isAutoRead()).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private void checkThatAnswersStayBounded(Message message) throws Exception {
        try (java.nio.channels.SocketChannel flooder = flooder()) {
            Channel victim = accept();
            Machine machine = new Machine();
            serve(victim, machine, LONG);
            flood(flooder, message, () -> isStoppedByUnsentAnswers(victim));

            long bound = 2L * ReadGate.MIN_MAX_UNSENT_BYTES + ReadGate.MAX_UNHANDLED_BYTES;
            assertThat(pendingBytes(victim)).isLessThan(bound);
            int heard = machine.heard.get();

            // Once the peer reads, the node does, too.
            flooder.configureBlocking(true);
            ByteBuffer sink = ByteBuffer.allocate(64 << 10);
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS)).pollInSameThread().until(() -> {
                flooder.read(sink.clear());
                return machine.heard.get() > heard;
            });
            assertThat(losses.losses()).isEmpty();
        }
    }

    @Test
    void whoSendsDesiresAndReadsNothingIsNotRead() throws Exception {
        checkThatAnswersStayBounded(new Message.Desire(PieceSet.empty(PIECES)));
    }

    @Test
    void whoStealsAndReadsNothingIsNotRead() throws Exception {
        checkThatAnswersStayBounded(new Message.Steal(0, 0));
    }

    @Test
    void whoAsksForWhatIsNotThereAndReadsNothingIsNotRead() throws Exception {
        checkThatAnswersStayBounded(new Message.Request(7));
    }

    /** A desire of a dozen bytes takes as much memory as there are pieces, in bits. */
    @Test
    void noMoreIsReadThanTheStrategyHandles() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        try (java.nio.channels.SocketChannel flooder = flooder()) {
            Channel victim = accept();
            Machine machine = new Machine() {
                @Override
                List<Action> answer(Message message) {
                    return List.of();
                }
            };
            serve(victim, machine, LONG);
            executor.execute(() -> {
                held.countDown();
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            // The drain that began the transfer would handle what comes before it has ended.
            assertThat(held.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            long takenBytes = flood(
                    flooder,
                    new Message.Desire(PieceSet.empty(PIECES)),
                    () -> !victim.config().isAutoRead());

            assertThat(takenBytes)
                    .as("what is in buffers of the system, and one read")
                    .isLessThan(4L << 20);
            assertThat(machine.heard.get()).isZero();
            busy.countDown();
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .untilAsserted(() -> assertThat(machine.heard.get()).isGreaterThan(1000));
        } finally {
            busy.countDown();
        }
    }

    @Test
    void whoReadsNothingForTooLongLosesItsConnection() throws Exception {
        try (java.nio.channels.SocketChannel flooder = flooder()) {
            Channel victim = accept();
            serve(victim, new Machine(), Duration.ofMillis(400));
            flooder.write(frames(1, BEGIN, MessageCodec.betweenMulticasts()));
            flooder.configureBlocking(false);
            ByteBuffer desires = frames(1000, new Message.Desire(PieceSet.empty(PIECES)), codec);
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS)).pollInSameThread().until(() -> {
                if (victim.isOpen()) {
                    try {
                        flooder.write(desires);
                    } catch (java.io.IOException e) {
                        return true;
                    }
                    if (!desires.hasRemaining()) {
                        desires.rewind();
                    }
                }
                return !victim.isOpen();
            });
            checkLoss("it read nothing for 0.4 s, may return");
        }
    }

    @Test
    void whoSendsHalfAFrameIsSilent() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(listening.localAddress());
            Channel victim = accept();
            serve(victim, new Machine(), Duration.ofMillis(300));
            OutputStream out = socket.getOutputStream();
            ByteBuffer begin = frames(1, BEGIN, MessageCodec.betweenMulticasts());
            out.write(bytes(begin));
            ByteBuffer desire = frames(1, new Message.Desire(dense), codec);
            out.write(bytes(desire), 0, desire.limit() / 2);
            assertThat(victim.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            checkLoss("it sent nothing for 0.3 s, may return");
        }
    }

    /** Both have more to say than the other may leave unread, so both stop reading. */
    @Test
    void twoNodesThatBothStopReadingGoOn() throws Exception {
        int atOnce = 100;
        int inAll = 400;
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        sockets.bootstrap()
                .option(ChannelOption.SO_SNDBUF, 4 << 10)
                .option(ChannelOption.SO_RCVBUF, 4 << 10)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel);
                        connected.complete(channel);
                    }
                })
                .connect(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), ((InetSocketAddress) listening.localAddress()).getPort()))
                .sync();
        CountDownLatch over = new CountDownLatch(2);
        AtomicInteger stops = new AtomicInteger();
        for (Channel channel : List.of(accept(), connected.get(LIMIT_SECONDS, TimeUnit.SECONDS))) {
            AtomicInteger answers = new AtomicInteger();
            Message desire = new Message.Desire(dense);
            serve(
                    channel,
                    new Machine() {
                        @Override
                        List<Action> begin() {
                            List<Action> desires = new ArrayList<>();
                            for (int i = 0; i < atOnce; i++) {
                                desires.add(new Action.Send(1, desire));
                            }
                            return desires;
                        }

                        @Override
                        List<Action> answer(Message message) {
                            if (!channel.config().isAutoRead()) {
                                stops.incrementAndGet();
                            }
                            if (message instanceof Message.Bitfield) {
                                int count = answers.incrementAndGet();
                                if (count == inAll) {
                                    over.countDown();
                                }
                                return count <= inAll - atOnce ? List.of(new Action.Send(1, desire)) : List.of();
                            }
                            return super.answer(message);
                        }
                    },
                    Duration.ofSeconds(2));
        }

        assertThat(over.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(stops.get()).isPositive();
        assertThat(losses.losses()).isEmpty();
    }

    @Test
    void onlyItsEventLoopMaySend() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(listening.localAddress());
            PeerLink link = serve(accept(), new Machine(), LONG);

            assertThatThrownBy(() -> link.send(new Message.Steal(0, 0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not the event loop of the connection to rank 1");
        }
    }

    /** What fills the connection, and what the peer has sent and nobody has read, must not cost the peer the reason. */
    @Test
    void whyANodeLeavesIsReadBehindAllThatWasSentBefore() throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
            socket.setSoTimeout(LIMIT_SECONDS * 1000);
            socket.connect(listening.localAddress());
            Channel victim = accept();
            PeerLink link = serve(victim, new Machine(), LONG);
            OutputStream out = socket.getOutputStream();
            ByteBuffer begin = frames(1, BEGIN, MessageCodec.betweenMulticasts());
            out.write(bytes(begin));
            ByteBuffer desires = frames(50, new Message.Desire(PieceSet.empty(PIECES)), codec);
            out.write(bytes(desires));
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .untilAsserted(() -> assertThat(pendingBytes(victim)).isPositive());
            link.abort(7, "it sends corrupt pieces");
            for (int i = 0; i < 10; i++) {
                out.write(bytes(desires));
            }

            DataInputStream in = new DataInputStream(socket.getInputStream());
            List<MessageType> types = new ArrayList<>();
            while (types.isEmpty() || types.get(types.size() - 1) != MessageType.ABORT) {
                int length = in.readInt();
                types.add(MessageType.ofCode(in.readUnsignedByte()));
                in.readNBytes(length - 1);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }
}
