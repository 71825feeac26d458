package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PlacedReceive;

/** What a further connection makes of pieces by the multicasts that both ends have begun. */
class SideConnectionTest {
    private static final int DIGEST_BYTES = 16;
    private static final int MANY = 1000;
    private static final int FEW = 10;

    private final DefaultEventExecutor executor = new DefaultEventExecutor();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Transfer> transfers = new ArrayList<>();
    private final List<String> endings = new ArrayList<>();
    private final SideConnections sides = new SideConnections(
            channel.eventLoop(),
            piece -> {},
            defect -> endings.add("defect " + defect),
            (why, mayReturn) -> endings.add(why + ", " + mayReturn));

    @BeforeEach
    void prepare() {
        channel.config().setAutoRead(false);
        PlacedReceive.install(channel);
    }

    @AfterEach
    void close() {
        sides.close();
        transfers.forEach(Transfer::release);
        channel.finishAndReleaseAll();
        executor.shutdownGracefully().awaitUninterruptibly();
    }

    /** A machine that hears of pieces, and does nothing. */
    private static final class Idle extends TestMachine {
        Idle(int pieces) {
            super(pieces);
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            return List.of();
        }
    }

    private static Begin begin(long sequence, int pieces) {
        return new Begin(sequence, 0, pieces, 1, "scripted", "xxh3-128");
    }

    private void beginHere(long sequence, int pieces) {
        Transfer transfer = new TestPieces(pieces).transfer(new Idle(pieces), /* root= */ false, pieces, executor);
        transfers.add(transfer);
        sides.begin(begin(sequence, pieces), transfer, 1);
    }

    private void add() {
        sides.add(1, channel, Distance.SAME_CLUSTER, SendRate.unlimited(), Duration.ofSeconds(20));
    }

    private static ByteBuf beginFrame(long sequence, int pieces) {
        Begin begin = begin(sequence, pieces);
        ByteBuffer frame = ByteBuffer.allocate(MessageCodec.betweenMulticasts().encodedBytes(begin));
        MessageCodec.betweenMulticasts().encode(begin, frame);
        return Unpooled.wrappedBuffer(frame.flip());
    }

    private static ByteBuf lastPiece(int pieces) {
        MessageCodec codec = new MessageCodec(new PieceLayout(pieces, 1), DIGEST_BYTES);
        PieceBlock block = new PieceBlock(pieces - 1, 0, 1, 0, new byte[DIGEST_BYTES]);
        ByteBuffer frame = ByteBuffer.allocate(codec.encodedBytes(block) + 1);
        codec.encode(block, frame);
        return Unpooled.wrappedBuffer(frame.rewind());
    }

    @Test
    void piecesThatAreThereWhenReadingBeginsAreOfTheMulticastThatGoesOn() {
        beginHere(0, MANY);
        ByteBuf there = Unpooled.wrappedBuffer(beginFrame(0, MANY), lastPiece(MANY));
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext context) {
                context.pipeline().remove(this);
                channel.pipeline().fireChannelRead(there);
            }
        });
        add();
        assertThat(there.refCnt()).isZero();
        assertThat(endings).isEmpty();
    }

    /** The loop is busy, and reads before it runs what it was told of the multicast. */
    @Test
    void piecesMayComeBeforeTheLoopHasHeardOfTheirMulticast() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        try {
            LocalAddress address = new LocalAddress(SideConnectionTest.class);
            new ServerBootstrap()
                    .group(loops)
                    .channel(LocalServerChannel.class)
                    .childHandler(new ChannelInboundHandlerAdapter())
                    .bind(address)
                    .sync();
            Channel busy = new Bootstrap()
                    .group(loops)
                    .channel(LocalChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(address)
                    .sync()
                    .channel();
            PlacedReceive.install(busy);
            sides.add(1, busy, Distance.SAME_CLUSTER, SendRate.unlimited(), Duration.ofSeconds(20));
            CountDownLatch begun = new CountDownLatch(1);
            Future<?> read = busy.eventLoop().submit(() -> {
                begun.await();
                return busy.pipeline().fireChannelRead(Unpooled.wrappedBuffer(beginFrame(0, MANY), lastPiece(MANY)));
            });
            beginHere(0, MANY);
            begun.countDown();
            read.sync();
            assertThat(endings).isEmpty();
        } finally {
            sides.close();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** The watch for peers that stall asks for them while a large block is under way. */
    @Test
    void bytesOfABlockCountBeforeItIsWhole() {
        add();
        beginHere(0, MANY);
        channel.writeInbound(beginFrame(0, MANY));
        long before = sides.readBytes();
        ByteBuf piece = lastPiece(MANY);
        int most = piece.readableBytes() - 1;
        channel.writeInbound(piece.readRetainedSlice(most));
        assertThat(sides.readBytes() - before).isEqualTo(most);
        channel.writeInbound(piece);
        assertThat(sides.readBytes() - before).isEqualTo(most + 1);
    }

    @Test
    void piecesOfAMulticastThatIsOverWaitNoLonger() {
        add();
        beginHere(0, MANY);
        assertThat(sides.send(5, 1)).isTrue();
        assertThat(sides.waitingPieces()).isEqualTo(1);

        beginHere(1, MANY);
        assertThat(sides.waitingPieces()).isZero();
    }

    @Test
    void aDefectOfThisProcessIsNoFaultOfThePeer() {
        add();
        channel.pipeline().fireExceptionCaught(new IllegalStateException("on purpose"));
        assertThat(endings).first().asString().isEqualTo("defect java.lang.IllegalStateException: on purpose");
    }

    @Test
    void piecesOfAnOlderMulticastMayComeWhenTwoOthersHaveBegun() {
        add();
        beginHere(0, MANY);
        channel.writeInbound(beginFrame(0, MANY));
        beginHere(1, FEW);
        beginHere(2, FEW);
        channel.writeInbound(lastPiece(MANY));
        channel.writeInbound(beginFrame(1, FEW), lastPiece(FEW), beginFrame(2, FEW), lastPiece(FEW));
        assertThat(endings).isEmpty();

        channel.writeInbound(lastPiece(MANY));
        assertThat(endings)
                .singleElement()
                .asString()
                .startsWith("it broke the protocol")
                .endsWith("false");
    }
}
