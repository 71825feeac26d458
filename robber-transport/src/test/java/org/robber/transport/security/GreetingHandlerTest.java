package org.robber.transport.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.protocol.Greeting;
import org.robber.core.random.SeededRuns;
import org.robber.core.wire.GreetingCodec;
import org.robber.transport.BufferLeaks;
import org.robber.transport.security.GreetingFailed.Kind;

class GreetingHandlerTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    private static final Secret SECRET = new Secret(bytes("the secret"));
    private static final Secret OTHER = new Secret(bytes("another"));

    private final List<Side> sides = new ArrayList<>();

    /** One end, with what it has told its pipeline. */
    private static final class Side extends ChannelInboundHandlerAdapter {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final ByteArrayOutputStream after = new ByteArrayOutputStream();
        boolean done;

        @Nullable
        GreetingFailed failure;

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            assertThat(done || failure != null).as("told twice").isFalse();
            done = event == GreetingDone.DONE;
            failure = event instanceof GreetingFailed failed ? failed : null;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            after.writeBytes(take((ByteBuf) message));
        }

        void hears(byte[] bytes) {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        }

        /** The other side closes the connection. */
        void ends() {
            channel.disconnect().syncUninterruptibly();
        }

        /** All that it has said since the last call. */
        byte[] says() {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                said.writeBytes(take(next));
            }
            return said.toByteArray();
        }

        void fails(Kind kind) {
            assertThat(failure).isNotNull();
            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(channel.isOpen()).isFalse();
            assertThat(done).isFalse();
        }

        private static byte[] take(ByteBuf buffer) {
            byte[] taken = new byte[buffer.readableBytes()];
            buffer.readBytes(taken);
            buffer.release();
            return taken;
        }
    }

    @AfterEach
    void nothingLeaks() {
        sides.forEach(side -> side.channel.finishAndReleaseAll());
        leaks.check();
    }

    @Test
    void bothSidesProveTheSecretAndWhatFollowsIsPassedOn() {
        Side connecting = connecting(SECRET);
        Side listening = listening(SECRET);

        listening.hears(connecting.says());
        connecting.hears(listening.says());
        assertThat(connecting.done).isTrue();
        listening.hears(concat(connecting.says(), bytes("first frame")));

        assertThat(listening.done).isTrue();
        assertThat(listening.after.toByteArray()).isEqualTo(bytes("first frame"));
        assertThat(connecting.channel.pipeline().get(GreetingHandler.class)).isNull();
        assertThat(listening.channel.pipeline().get(GreetingHandler.class)).isNull();
    }

    @Test
    void bytesMayComeOneByOne() {
        Side connecting = connecting(SECRET);
        Side listening = listening(SECRET);

        hearsSlowly(listening, connecting.says());
        hearsSlowly(connecting, listening.says());
        hearsSlowly(listening, connecting.says());

        assertThat(connecting.done).isTrue();
        assertThat(listening.done).isTrue();
    }

    @Test
    void withoutASecretEveryoneThatSpeaksTheProtocolIsAMember() {
        Side connecting = connecting(new Secret(new byte[0]));
        Side listening = listening(new Secret(new byte[0]));

        listening.hears(connecting.says());
        connecting.hears(listening.says());
        listening.hears(connecting.says());

        assertThat(listening.done).isTrue();
    }

    @Test
    void theConnectingSideNoticesAnotherSecretFirstAndProvesNothing() {
        Side connecting = connecting(OTHER);
        Side listening = listening(SECRET);

        listening.hears(connecting.says());
        connecting.hears(listening.says());

        connecting.fails(Kind.SECRET);
        byte[] refusal = connecting.says();
        assertThat(refusal).as("proves nothing").isEqualTo(proof(new byte[Greeting.PROOF_BYTES]));
        listening.hears(refusal);
        listening.fails(Kind.SECRET);
    }

    @Test
    void aWrongProofIsNoProof() {
        Side listening = listening(SECRET);
        listening.hears(connecting(SECRET).says());
        listening.says();
        listening.hears(proof(new byte[Greeting.PROOF_BYTES]));

        listening.fails(Kind.SECRET);
    }

    @Test
    void aReflectedProofIsNoProof() {
        Side listening = listening(SECRET);
        listening.hears(connecting(SECRET).says());
        byte[] challenge = listening.says();
        byte[] reflected = Arrays.copyOfRange(challenge, challenge.length - Greeting.PROOF_BYTES, challenge.length);
        listening.hears(proof(reflected));

        listening.fails(Kind.SECRET);
    }

    @Test
    void aNodeDoesNotAnswerItself() {
        // Somebody without the secret, whom this node connects to, sends everything back to where it came from.
        Side connecting = connecting(SECRET);
        Side listening = listening(SECRET);
        byte[] hello = connecting.says();
        listening.hears(hello);
        byte[] challenge = listening.says();
        byte[] nonce = Arrays.copyOfRange(hello, hello.length - Greeting.NONCE_BYTES, hello.length);
        byte[] proof = Arrays.copyOfRange(challenge, challenge.length - Greeting.PROOF_BYTES, challenge.length);
        connecting.hears(challenge(Greeting.PROTOCOL_VERSION, nonce, proof));

        connecting.fails(Kind.SECRET);
    }

    @Test
    void aReplayedConversationProvesNothing() {
        Side connecting = connecting(SECRET);
        Side listening = listening(SECRET);
        byte[] hello = connecting.says();
        listening.hears(hello);
        connecting.hears(listening.says());
        byte[] proof = connecting.says();
        listening.hears(proof);
        assertThat(listening.done).isTrue();

        Side again = listening(SECRET);
        again.hears(concat(hello, proof));

        again.fails(Kind.SECRET);
    }

    @Test
    void anotherVersionIsNamedOnBothSides() {
        Side listening = listening(SECRET);
        listening.hears(GreetingCodec.encode(new Greeting.Hello(7, new byte[32], new byte[32]))
                .array());

        listening.fails(Kind.VERSION);
        assertThat(listening.failure.reason()).contains("version 7", "version 3");
        byte[] answer = listening.says();
        assertThat(answer).hasSize(GreetingCodec.CHALLENGE_FRAME_BYTES);
        assertThat(Arrays.copyOfRange(answer, 7, answer.length))
                .as("proves nothing")
                .containsOnly(0);

        Side connecting = connecting(SECRET);
        connecting.hears(challenge(7, new byte[Greeting.NONCE_BYTES], new byte[Greeting.PROOF_BYTES]));
        connecting.fails(Kind.VERSION);
        assertThat(connecting.failure.reason()).contains("version 7", "version 3");
    }

    /** Only magic, kind and version are at the same place in all versions. */
    @Test
    void anotherVersionIsNamedWhateverTheLengthOfItsGreetings() {
        Side listening = listening(SECRET);
        listening.hears(new byte[] {'R', 'B', 'B', 'R', 1, 0, 7});
        listening.fails(Kind.VERSION);
        assertThat(listening.says()).hasSize(GreetingCodec.CHALLENGE_FRAME_BYTES);

        Side connecting = connecting(SECRET);
        connecting.hears(new byte[] {'R', 'B', 'B', 'R', 2, 0, 7});
        connecting.fails(Kind.VERSION);
    }

    @Test
    void whoSpeaksAnotherProtocolIsNoNode() {
        Side listening = listening(SECRET);
        listening.hears(bytes("GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n"));
        listening.fails(Kind.NO_NODE);
        assertThat(listening.says()).isEmpty();

        Side connecting = connecting(SECRET);
        connecting.hears(
                bytes("SSH-2.0-something, and quite a lot more, so that it is a whole challenge by its length"));
        connecting.fails(Kind.NO_NODE);
    }

    @Test
    void whatComesAfterAFailureIsNotHeard() {
        Side listening = listening(SECRET);
        Side connecting = connecting(SECRET);
        byte[] good = answer(listening, connecting);
        byte[] bad = good.clone();
        bad[bad.length - 1] ^= 1;

        connecting.hears(concat(bad, good));

        connecting.fails(Kind.SECRET);
        assertThat(connecting.after.size()).isZero();
    }

    @Test
    void thereIsALimitForTheWholeGreeting() {
        Side listening = listening(SECRET);
        listening.channel.freezeTime();
        passTime(listening, 9);
        assertThat(listening.failure).isNull();
        listening.hears(connecting(SECRET).says());
        passTime(listening, 2);

        listening.fails(Kind.NO_NODE);
        assertThat(listening.failure.reason()).contains("10 s");
    }

    /** An event loop with thousands of greetings may serve this one late. */
    @Test
    void timeInWhichTheLoopIsBusyWithOthersDoesNotCount() {
        Side listening = listening(SECRET);
        listening.channel.freezeTime();
        listening.channel.advanceTimeBy(25, TimeUnit.SECONDS);
        listening.channel.runScheduledPendingTasks();

        assertThat(listening.failure).isNull();
        assertThat(listening.channel.isOpen()).isTrue();
    }

    private static void passTime(Side side, int seconds) {
        for (int second = 0; second < seconds; second++) {
            side.channel.advanceTimeBy(1, TimeUnit.SECONDS);
            side.channel.runScheduledPendingTasks();
        }
    }

    @Test
    void theLimitEndsWithTheGreeting() {
        Side connecting = connecting(SECRET);
        connecting.channel.freezeTime();
        connecting.hears(answer(listening(SECRET), connecting));
        passTime(connecting, 61);

        assertThat(connecting.done).isTrue();
        assertThat(connecting.channel.isOpen()).isTrue();
    }

    @Test
    void whoLeavesWithinAFrameIsNoNode() {
        Side listening = listening(SECRET);
        listening.hears(new byte[] {'R', 'B'});
        listening.ends();

        listening.fails(Kind.NO_NODE);
    }

    @Test
    void whoLeavesBetweenWordsHasOnlyLeft() {
        // A node whose job has failed elsewhere, or a load balancer that looks whether the port is open.
        Side untouched = listening(SECRET);
        untouched.ends();
        untouched.fails(Kind.LEFT);

        Side unanswered = listening(SECRET);
        unanswered.hears(connecting(SECRET).says());
        unanswered.ends();
        unanswered.fails(Kind.LEFT);

        Side connecting = connecting(SECRET);
        connecting.ends();
        connecting.fails(Kind.LEFT);
    }

    @Test
    void randomBytesNeverProveAnything() {
        long seed = SeededRuns.firstSeed();
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 200; run++) {
            Side side = random.nextBoolean() ? listening(SECRET) : connecting(SECRET);
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            if (random.nextBoolean() && noise.length > 4) {
                System.arraycopy(bytes("RBBR"), 0, noise, 0, 4);
            }
            side.hears(noise);
            side.ends();
            assertThat(side.done).as("-Drobber.seed=%s", seed).isFalse();
            assertThat(side.failure).as("-Drobber.seed=%s", seed).isNotNull();
        }
    }

    @Test
    void aSecretIsNeverShown() {
        assertThat(SECRET).hasToString("(secret)");
    }

    private Side connecting(Secret secret) {
        return side(GreetingHandler.connecting(secret, null));
    }

    private Side listening(Secret secret) {
        return side(GreetingHandler.listening(secret, null));
    }

    private Side side(GreetingHandler handler) {
        Side side = new Side();
        sides.add(side);
        side.channel.pipeline().addLast(handler, side);
        return side;
    }

    /** The listening side's challenge for the connecting side. */
    private static byte[] answer(Side listening, Side connecting) {
        listening.hears(connecting.says());
        return listening.says();
    }

    private static void hearsSlowly(Side side, byte[] bytes) {
        for (byte each : bytes) {
            side.hears(new byte[] {each});
        }
    }

    private static byte[] proof(byte[] proof) {
        return GreetingCodec.encode(new Greeting.Proof(proof)).array();
    }

    private static byte[] challenge(int version, byte[] nonce, byte[] proof) {
        return GreetingCodec.encode(new Greeting.Challenge(version, nonce, new byte[32], proof))
                .array();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
