package org.robber.transport.security;

import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.util.SimpleKeyManagerFactory;
import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the certificate of this process to each peer. A key store would encrypt the key and decrypt it again: tens of thousands of hashes in cold
 * code, at each start.
 */
final class OwnKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private final OwnCertificate own;

    OwnKeyManager(OwnCertificate own) {
        this.own = own;
    }

    /** The factory that TLS takes. It keeps the form of the key that BoringSSL reads, so each handshake need not make it. */
    KeyManagerFactory factory() {
        return new OpenSslCachingX509KeyManagerFactory(new SimpleKeyManagerFactory() {
            @Override
            protected void engineInit(@Nullable KeyStore keys, char @Nullable [] password) {}

            @Override
            protected void engineInit(ManagerFactoryParameters parameters) {}

            @Override
            protected KeyManager[] engineGetKeyManagers() {
                return new KeyManager[] {OwnKeyManager.this};
            }
        });
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return ALIAS;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return ALIAS;
    }

    @Override
    public String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return keyType.startsWith(own.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {own.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return own.key();
    }
}
