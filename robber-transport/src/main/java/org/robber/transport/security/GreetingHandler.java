package org.robber.transport.security;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Greeting;
import org.robber.core.wire.GreetingCodec;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.transport.security.GreetingFailed.Kind;
import org.robber.transport.sockets.LoopLimit;
import org.robber.transport.sockets.Sockets;

/**
 * The first words on a connection, as {@link Greeting} describes them: both sides prove the shared secret. Reads exactly
 * the bytes of the greeting and has a limit for all of it, so that an unauthenticated peer costs little: not even TLS sees a byte of
 * his. Puts TLS in its place where that is due. Fires {@link GreetingDone}, once all this is over, and leaves the
 * pipeline; or fires {@link GreetingFailed} and closes the connection.
 */
public final class GreetingHandler extends ByteToMessageDecoder {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String LISTENING = "robber listen";
    private static final String CONNECTING = "robber connect";
    /** A peer that does not go on with the greeting costs no more than this. */
    private static final long LISTENING_LIMIT_SECONDS = 10;

    /** Rank 0 of a large job has thousands to greet at once, each of which waits for its turn. */
    private static final long CONNECTING_LIMIT_SECONDS = 60;

    private static final byte[] NO_CERTIFICATE = new byte[Greeting.CERTIFICATE_BYTES];

    private final Secret secret;
    private final @Nullable Encryption encryption;
    private final boolean connecting;
    private final byte[] ourNonce = new byte[Greeting.NONCE_BYTES];
    private final byte[] ourCertificate;
    private byte[] theirNonce = new byte[0];
    private byte[] theirCertificate = NO_CERTIFICATE;
    private @Nullable LoopLimit limit;
    private boolean over;

    private GreetingHandler(Secret secret, @Nullable Encryption encryption, boolean connecting) {
        this.secret = secret;
        this.encryption = encryption;
        this.connecting = connecting;
        this.ourCertificate = encryption == null ? NO_CERTIFICATE : encryption.certificateDigest();
    }

    /** For the side that connects. */
    static GreetingHandler connecting(Secret secret, @Nullable Encryption encryption) {
        return new GreetingHandler(secret, encryption, true);
    }

    /** For the side that listens. */
    static GreetingHandler listening(Secret secret, @Nullable Encryption encryption) {
        return new GreetingHandler(secret, encryption, false);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            begin(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        begin(context);
        super.channelActive(context);
    }

    private void begin(ChannelHandlerContext context) {
        if (limit != null) {
            return;
        }
        long seconds = connecting ? CONNECTING_LIMIT_SECONDS : LISTENING_LIMIT_SECONDS;
        limit = LoopLimit.start(
                context.executor(), seconds, () -> fail(context, Kind.NO_NODE, "no greeting within " + seconds + " s"));
        if (connecting) {
            RANDOM.nextBytes(ourNonce);
            say(context, new Greeting.Hello(Greeting.PROTOCOL_VERSION, ourNonce, ourCertificate));
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf input, List<Object> out) {
        if (over) {
            input.skipBytes(input.readableBytes());
            return;
        }
        try {
            GreetingCodec.checkBegin(input.nioBuffer());
            if (connecting) {
                ByteBuffer challenge = take(input, GreetingCodec.CHALLENGE_FRAME_BYTES);
                if (challenge != null) {
                    answer(context, GreetingCodec.decodeChallenge(challenge));
                }
            } else if (theirNonce.length == 0) {
                ByteBuffer hello = take(input, GreetingCodec.HELLO_FRAME_BYTES);
                if (hello != null) {
                    challenge(context, GreetingCodec.decodeHello(hello));
                }
            } else {
                ByteBuffer proof = take(input, GreetingCodec.PROOF_FRAME_BYTES);
                if (proof != null) {
                    check(context, GreetingCodec.decodeProof(proof));
                }
            }
        } catch (WireException e) {
            input.skipBytes(input.readableBytes());
            boolean version = e.error() == WireError.WRONG_VERSION;
            if (version && !connecting) {
                sayVersion(context);
            }
            fail(context, version ? Kind.VERSION : Kind.NO_NODE, String.valueOf(e.getMessage()));
        }
    }

    /** Lets the other side know which version it should speak; proves nothing to it. */
    private static void sayVersion(ChannelHandlerContext context) {
        say(
                context,
                new Greeting.Challenge(
                        Greeting.PROTOCOL_VERSION,
                        new byte[Greeting.NONCE_BYTES],
                        NO_CERTIFICATE,
                        new byte[Greeting.PROOF_BYTES]));
    }

    private static @Nullable ByteBuffer take(ByteBuf input, int bytes) {
        if (input.readableBytes() < bytes) {
            return null;
        }
        ByteBuffer taken = ByteBuffer.allocate(bytes);
        input.readBytes(taken);
        return taken.flip();
    }

    private void challenge(ChannelHandlerContext context, Greeting.Hello hello) {
        theirNonce = hello.nonce();
        theirCertificate = hello.certificate();
        // not before the peer has sent something: most that do not belong here send nothing
        RANDOM.nextBytes(ourNonce);
        byte[] proof = secret.proof(LISTENING, theirNonce, ourNonce, theirCertificate, ourCertificate);
        say(context, new Greeting.Challenge(Greeting.PROTOCOL_VERSION, ourNonce, ourCertificate, proof));
    }

    private void answer(ChannelHandlerContext context, Greeting.Challenge challenge) {
        theirNonce = challenge.nonce();
        theirCertificate = challenge.certificate();
        if (!secret.proves(challenge.proof(), LISTENING, ourNonce, theirNonce, ourCertificate, theirCertificate)) {
            // Proves nothing, and lets the other side know why we leave: else we might as well have been interrupted.
            say(context, new Greeting.Proof(new byte[Greeting.PROOF_BYTES]));
            fail(context, Kind.SECRET, "it could not prove the shared secret");
            return;
        }
        byte[] proof = secret.proof(CONNECTING, ourNonce, theirNonce, ourCertificate, theirCertificate);
        say(context, new Greeting.Proof(proof));
        proven(context);
    }

    private void check(ChannelHandlerContext context, Greeting.Proof proof) {
        if (secret.proves(proof.proof(), CONNECTING, theirNonce, ourNonce, theirCertificate, ourCertificate)) {
            proven(context);
        } else {
            fail(context, Kind.SECRET, "it could not prove the shared secret");
        }
    }

    /** The other side is a member. Its proof covers what it said of encryption, so no third party has changed it. */
    private void proven(ChannelHandlerContext context) {
        Encryption own = encryption;
        boolean theyEncrypt = !Arrays.equals(theirCertificate, NO_CERTIFICATE);
        if (theyEncrypt != (own != null)) {
            fail(
                    context,
                    Kind.TLS,
                    (theyEncrypt ? "it encrypts and this node does not" : "it does not encrypt and this node does")
                            + ": is --tls the same on every node?");
            return;
        }
        finish();
        if (own == null) {
            context.fireUserEventTriggered(GreetingDone.DONE);
        } else {
            SslHandler tls = own.handler(connecting, context.alloc());
            // Through a relay there is a second encryption inside the first: neither has a fixed name.
            context.pipeline().addAfter(context.name(), null, new EncryptionGuard(tls, theirCertificate));
            context.pipeline().addAfter(context.name(), null, tls);
        }
        context.pipeline().remove(this);
    }

    private static void say(ChannelHandlerContext context, Greeting greeting) {
        var unused = context.writeAndFlush(
                Unpooled.wrappedBuffer(GreetingCodec.encode(greeting)),
                context.channel().voidPromise());
    }

    private void fail(ChannelHandlerContext context, Kind kind, String why) {
        if (!over) {
            finish();
            context.fireUserEventTriggered(new GreetingFailed(kind, why));
            var unused = context.close();
        }
    }

    private void finish() {
        over = true;
        if (limit != null) {
            limit.cancel();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        left(context, "it closed the connection");
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        left(context, "its connection broke (" + Sockets.trouble(cause) + ")");
    }

    /** Between two words of the greeting, any node may have to leave; in the middle of one, none does. */
    private void left(ChannelHandlerContext context, String how) {
        boolean betweenWords = actualReadableBytes() == 0;
        fail(
                context,
                betweenWords ? Kind.LEFT : Kind.NO_NODE,
                how + (betweenWords ? " during the greeting" : " in the middle of a word of the greeting"));
    }
}
