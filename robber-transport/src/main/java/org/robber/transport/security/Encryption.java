package org.robber.transport.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;

/**
 * How this process encrypts its connections: TLS 1.3, both sides showing a certificate. Immutable.
 */
final class Encryption {
    /** How long a handshake may take. Rank 0 of a large job has thousands at once, all of nodes that have proven the secret. */
    static final long HANDSHAKE_LIMIT_SECONDS = 60;

    private static final String PROTOCOL = "TLSv1.3";

    /** Bytes that are encrypted in one call, in 16 records of 16 KiB: one call and one buffer for each record would cost more. */
    private static final int WRAPPED_BYTES = 256 << 10;

    /** The fastest first, where processors know AES, and all do that carry much data. */
    private static final List<String> CIPHERS =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    /**
     * BoringSSL where its native code is, else Java. Java's ciphers are fast only when the slow compiler has seen them: in the
     * first seconds of a process, and these are all that most jobs last, they carry 20 MB/s.
     */
    static final SslProvider PROVIDER = OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
            ? SslProvider.OPENSSL
            : SslProvider.JDK;

    private final SslContext connecting;
    private final SslContext listening;
    private final byte[] certificateDigest;

    private Encryption(SslContextBuilder client, SslContextBuilder server, Certificate certificate)
            throws SSLException {
        // Nodes have addresses, not names; that a certificate is the right one is decided by its digest.
        this.connecting = common(client).endpointIdentificationAlgorithm(null).build();
        this.listening = common(server).clientAuth(ClientAuth.REQUIRE).build();
        this.certificateDigest = digest(certificate);
    }

    private static SslContextBuilder common(SslContextBuilder builder) {
        return builder.sslProvider(PROVIDER).protocols(PROTOCOL).ciphers(CIPHERS);
    }

    /** The key of this process: made when it is first needed, the same for all of its jobs. */
    static Encryption ofThisProcess() {
        return Own.KEY;
    }

    private static final class Own {
        static final Encryption KEY = withOwnKey();
    }

    /**
     * With a new key. TLS itself believes any certificate; {@link EncryptionGuard} lets only that one
     * pass whose digest came with a proof of the secret.
     */
    static Encryption withOwnKey() {
        OwnCertificate own = OwnCertificate.create();
        KeyManagerFactory keys = new OwnKeyManager(own).factory();
        try {
            return new Encryption(
                    SslContextBuilder.forClient().keyManager(keys).trustManager(InsecureTrustManagerFactory.INSTANCE),
                    SslContextBuilder.forServer(keys).trustManager(InsecureTrustManagerFactory.INSTANCE),
                    own.certificate());
        } catch (SSLException e) {
            throw new IllegalStateException("every Java platform has " + PROTOCOL, e);
        }
    }

    /**
     * With certificates of the user's.
     *
     * @throws RobberException with reason AUTHENTICATION if they can't be used; names the file
     */
    static Encryption with(TlsOptions.Files files) {
        for (Path file : List.of(files.certificate(), files.key(), files.authority())) {
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw unusable(file + ": no such file, or not readable", null);
            }
        }
        SecretFile.checkPrivate(files.key(), "private key");
        try (InputStream certificate = Files.newInputStream(files.certificate())) {
            Certificate first = CertificateFactory.getInstance("X.509").generateCertificate(certificate);
            if (!KeyMatch.matches(files.key(), first.getPublicKey())) {
                throw unusable(
                        files.key() + ": this key does not belong to the certificate in " + files.certificate(), null);
            }
            return new Encryption(
                    SslContextBuilder.forClient()
                            .keyManager(
                                    files.certificate().toFile(), files.key().toFile())
                            .trustManager(files.authority().toFile()),
                    SslContextBuilder.forServer(
                                    files.certificate().toFile(), files.key().toFile())
                            .trustManager(files.authority().toFile()),
                    first);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(
                    "certificate " + files.certificate() + ", key " + files.key() + " (PKCS #8) or authority "
                            + files.authority() + ": " + e.getMessage(),
                    e);
        }
    }

    private static RobberException unusable(String what, @Nullable Exception cause) {
        return new RobberException(Reason.AUTHENTICATION, List.of(), "tls", "TLS can't be used with " + what, cause);
    }

    /** Of the certificate that this process shows. */
    byte[] certificateDigest() {
        return certificateDigest.clone();
    }

    SslHandler handler(boolean connectingSide, ByteBufAllocator allocator) {
        SslHandler handler = (connectingSide ? connecting : listening).newHandler(allocator);
        handler.setHandshakeTimeout(HANDSHAKE_LIMIT_SECONDS, TimeUnit.SECONDS);
        handler.setWrapDataSize(WRAPPED_BYTES);
        return handler;
    }

    static byte[] digest(Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate without a form", e);
        }
    }
}
