package org.robber.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;
import org.robber.core.wire.GreetingCodec;
import org.robber.transport.security.GreetingFailed.Kind;

/** Greetings that end in TLS, and those who try to be in between. */
class EncryptionTest {
    private static final Secret SECRET = new Secret(new byte[] {1, 2, 3});

    private final Side connecting = new Side();
    private final Side listening = new Side();
    private final Side another = new Side();

    /** One end of a connection. */
    private static final class Side extends ChannelInboundHandlerAdapter {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        boolean done;

        @Nullable
        GreetingFailed failure;

        Side greets(GreetingHandler handler) {
            channel.pipeline().addLast(handler, this);
            return this;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof GreetingDone) {
                done = true;
            } else if (event instanceof GreetingFailed failed) {
                failure = failed;
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            heard.writeBytes(bytes((ByteBuf) message));
        }

        byte[] says() {
            channel.runPendingTasks();
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                said.writeBytes(bytes(next));
            }
            return said.toByteArray();
        }

        void hears(byte[] said) {
            if (said.length > 0 && channel.isOpen()) {
                channel.writeInbound(Unpooled.wrappedBuffer(said));
            }
        }

        private static byte[] bytes(ByteBuf buffer) {
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            buffer.release();
            return bytes;
        }
    }

    @AfterEach
    void end() {
        for (Side side : new Side[] {connecting, listening, another}) {
            side.channel.finishAndReleaseAll();
        }
    }

    /** Carries what they say to one another until neither says anything. */
    private static String pass(Side one, Side other) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] said = one.says(), answer = other.says();
                said.length + answer.length > 0;
                said = one.says(), answer = other.says()) {
            all.writeBytes(said);
            all.writeBytes(answer);
            other.hears(said);
            one.hears(answer);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void theSecretAloneGivesEncryption() {
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        another.greets(GreetingHandler.listening(SECRET, null));
        pass(connecting, listening);
        assertThat(connecting.failure).isNull();
        assertThat(connecting.done).isTrue();
        assertThat(listening.done).isTrue();

        connecting.channel.writeOutbound(Unpooled.copiedBuffer("what nobody may read", StandardCharsets.US_ASCII));
        String wire = pass(connecting, listening);

        assertThat(listening.heard.toString(StandardCharsets.US_ASCII)).isEqualTo("what nobody may read");
        assertThat(wire).isNotEmpty().doesNotContain("nobody");
        SslHandler tls = connecting.channel.pipeline().get(SslHandler.class);
        assertThat(tls.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
    }

    @Test
    void whoIsInTheMiddleGetsNoFurtherThanTheGreeting() {
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        another.greets(GreetingHandler.listening(SECRET, null));
        // Repeats the greeting word by word; then wants to be the server itself, with a certificate of its own.
        listening.hears(connecting.says());
        connecting.hears(listening.says());
        byte[] proofAndHello = connecting.says();
        byte[] clientHello = Arrays.copyOfRange(proofAndHello, GreetingCodec.PROOF_FRAME_BYTES, proofAndHello.length);
        SslHandler middle = Encryption.withOwnKey().handler(false, another.channel.alloc());
        another.channel.pipeline().addFirst(middle);
        another.channel.pipeline().remove(GreetingHandler.class);
        another.hears(clientHello);
        pass(another, connecting);

        assertThat(connecting.done).isFalse();
        assertThat(connecting.failure).isNotNull();
        assertThat(connecting.failure.kind()).isEqualTo(Kind.TLS);
        assertThat(connecting.failure.reason()).contains("not the one that it announced");
        assertThat(connecting.channel.isOpen()).isFalse();
    }

    @Test
    void whoChangesTheCertificateInTheGreetingBreaksTheProof() {
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        another.greets(GreetingHandler.listening(SECRET, null));
        byte[] hello = connecting.says();
        Arrays.fill(hello, 39, 71, (byte) 0);
        listening.hears(hello);
        connecting.hears(listening.says());

        assertThat(connecting.failure).isNotNull();
        assertThat(connecting.failure.kind()).isEqualTo(Kind.SECRET);
    }

    @Test
    void bothEncryptOrNeither() {
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.greets(GreetingHandler.listening(SECRET, null));
        another.greets(GreetingHandler.listening(SECRET, null));
        pass(connecting, listening);

        for (Side side : new Side[] {connecting, listening}) {
            assertThat(side.done).isFalse();
            assertThat(side.failure).isNotNull();
            assertThat(side.failure.kind()).isEqualTo(Kind.TLS);
            assertThat(side.failure.reason()).contains("is --tls the same on every node?");
        }
    }

    @Test
    void noTlsByteIsReadFromWhoHasNotProvenTheSecret() {
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        connecting.greets(GreetingHandler.connecting(new Secret(new byte[] {9}), Encryption.withOwnKey()));
        another.greets(GreetingHandler.listening(SECRET, null));
        pass(connecting, listening);

        assertThat(listening.channel.pipeline().get(SslHandler.class)).isNull();
        assertThat(listening.failure).isNotNull();
        assertThat(listening.failure.kind()).isEqualTo(Kind.SECRET);
    }

    @Test
    void membersOfOneAuthorityMeet(@TempDir Path folder) throws Exception {
        TestAuthority authority = new TestAuthority(folder);
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.with(authority.member("one", 1))));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.with(authority.member("two", 1))));
        pass(connecting, listening);

        assertThat(connecting.failure).isNull();
        assertThat(listening.failure).isNull();
        assertThat(connecting.done).isTrue();
        assertThat(listening.done).isTrue();
    }

    /** With the secret, and even so. */
    @Test
    void whoHasNoCertificateByTheAuthorityStaysOutside(@TempDir Path folder) throws Exception {
        TestAuthority authority = new TestAuthority(folder.resolve("right"));
        TestAuthority wrong = new TestAuthority(folder.resolve("wrong"));
        TlsOptions.Files stranger = wrong.member("stranger", 1, authority.certificate());
        listening.greets(GreetingHandler.listening(SECRET, Encryption.with(authority.member("member", 1))));
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.with(stranger)));
        pass(connecting, listening);

        assertRefusedByTls(listening);
        assertRefusedByTls(connecting);
    }

    @Test
    void aCertificateThatHasExpiredIsRefusedOnEitherSide(@TempDir Path folder) throws Exception {
        TestAuthority authority = new TestAuthority(folder);
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.with(authority.member("now", 1))));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.with(authority.member("then", -1))));
        pass(connecting, listening);

        assertRefusedByTls(connecting);
        assertThat(connecting.failure.reason())
                .startsWith("TLS handshake: its certificate is not accepted here: NotAfter: ");
        assertThat(listening.done).isFalse();
    }

    @Test
    void aKeyOfAnotherCertificateIsRefusedBeforeItIsUsed(@TempDir Path folder) throws Exception {
        TestAuthority authority = new TestAuthority(folder);
        TlsOptions.Files one = authority.member("one", 1);
        TlsOptions.Files other = authority.member("other", 1);
        Path keyOfTheAuthority = folder.resolve("ca.key");
        Files.setPosixFilePermissions(keyOfTheAuthority, PosixFilePermissions.fromString("rw-------"));
        TlsOptions.Files itself =
                new TlsOptions.Files(authority.certificate(), keyOfTheAuthority, authority.certificate());

        assertThat(Encryption.with(one)).isNotNull();
        assertThat(Encryption.with(itself)).as("RSA").isNotNull();
        Path larger = folder.resolve("larger.key");
        Files.writeString(larger, pem(3072), StandardCharsets.US_ASCII);
        Files.setPosixFilePermissions(larger, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(
                        () -> Encryption.with(new TlsOptions.Files(itself.certificate(), larger, itself.authority())))
                .hasMessageContaining("this key does not belong to");
        for (Path key : List.of(other.key(), keyOfTheAuthority)) {
            assertThatThrownBy(() -> Encryption.with(new TlsOptions.Files(one.certificate(), key, one.authority())))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.AUTHENTICATION))
                    .hasMessageEndingWith(
                            key + ": this key does not belong to the certificate in " + one.certificate());
        }
    }

    /** A new RSA key of that many bits. */
    private static String pem(int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }

    private static void assertRefusedByTls(Side side) {
        assertThat(side.failure).isNotNull();
        assertThat(side.failure.kind()).as(side.failure.reason()).isEqualTo(Kind.TLS);
        assertThat(side.channel.isOpen()).isFalse();
        assertThat(side.heard.size()).isZero();
    }

    @Test
    void whoProvesTheSecretAndThenStaysSilentIsClosedInTime() {
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.hears(connecting.says());
        connecting.hears(listening.says());
        listening.hears(Arrays.copyOf(connecting.says(), GreetingCodec.PROOF_FRAME_BYTES));
        listening.says();
        assertThat(listening.channel.pipeline().get(SslHandler.class)).isNotNull();

        listening.channel.advanceTimeBy(Encryption.HANDSHAKE_LIMIT_SECONDS - 1, TimeUnit.SECONDS);
        listening.channel.runScheduledPendingTasks();
        assertThat(listening.channel.isOpen()).isTrue();

        listening.channel.advanceTimeBy(2, TimeUnit.SECONDS);
        listening.channel.runScheduledPendingTasks();
        assertRefusedByTls(listening);
        assertThat(listening.failure.reason()).contains("timed out");
    }

    /** Rank 0 closes connections that wait long while many others come. A node that loses its place so tries again. */
    @Test
    void aConnectionThatBreaksDuringTheHandshakeIsNoRefusal() {
        ChannelOutboundHandlerAdapter breaking = new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new IOException("Connection reset by peer"));
            }
        };
        connecting.greets(GreetingHandler.connecting(SECRET, Encryption.withOwnKey()));
        listening.greets(GreetingHandler.listening(SECRET, Encryption.withOwnKey()));
        listening.hears(connecting.says());
        connecting.hears(listening.says());
        listening.hears(connecting.says());
        connecting.channel.pipeline().addFirst(breaking);
        connecting.hears(listening.says());

        assertThat(connecting.failure).isNotNull();
        assertThat(connecting.failure.kind()).as(connecting.failure.reason()).isEqualTo(Kind.LEFT);
        assertThat(connecting.failure.reason())
                .isEqualTo("its connection broke (Connection reset by peer) during the TLS handshake");
        assertThat(connecting.channel.isOpen()).isFalse();
    }

    @Test
    void keysMustComeFromSomewhere() {
        JobOptions options = JobOptions.of("test", "localhost", 0, 0, 2);
        assertThat(Credentials.of(options).encrypt()).isFalse();
        assertThat(Credentials.of(options.withSecret(new byte[] {1})).encrypt()).isTrue();
        assertThat(Credentials.of(options.withSecret(new byte[] {1}).withTls(TlsOptions.off()))
                        .encrypt())
                .isFalse();
        assertThatThrownBy(() -> Credentials.of(options.withTls(TlsOptions.on())))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("needs a shared secret, or certificates");
        Path none = Path.of("no-such-file");
        assertThatThrownBy(() -> Credentials.of(options.withTls(TlsOptions.of(new TlsOptions.Files(none, none, none)))))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.AUTHENTICATION))
                .hasMessageContaining("no-such-file");
    }
}
