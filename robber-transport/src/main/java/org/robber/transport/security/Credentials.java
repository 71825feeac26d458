package org.robber.transport.security;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;

/** What this process shows to the nodes of its job, and demands of them, at the beginning of each connection. Immutable. */
public final class Credentials {
    private final Secret secret;
    private final @Nullable Encryption encryption;

    private Credentials(Secret secret, @Nullable Encryption encryption) {
        this.secret = secret;
        this.encryption = encryption;
    }

    /**
     * As a node with these options needs them.
     *
     * @throws RobberException if it has to encrypt, but there are no keys for that, or none that can be used
     */
    public static Credentials of(JobOptions options) {
        return new Credentials(new Secret(options.secret()), encryption(options));
    }

    /** With this secret, and encryption by a key of this process; with an empty one, without both. */
    public static Credentials ofSecret(byte[] secret) {
        return new Credentials(new Secret(secret), secret.length == 0 ? null : Encryption.ofThisProcess());
    }

    private static @Nullable Encryption encryption(JobOptions options) {
        TlsOptions tls = options.tls();
        TlsOptions.Files files = tls.files();
        if (files != null) {
            return Encryption.with(files);
        }
        if (options.secret().length == 0) {
            if (tls.mode() == TlsOptions.Mode.ON) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(options.rank()),
                        "tls",
                        "TLS needs a shared secret, or certificates: without them, the owner of a key is not known");
            }
            return null;
        }
        return tls.mode() == TlsOptions.Mode.OFF ? null : Encryption.ofThisProcess();
    }

    /** Whether what follows the greeting is encrypted. */
    public boolean encrypt() {
        return encryption != null;
    }

    /** For a new connection that this process has made. */
    public GreetingHandler connecting() {
        return GreetingHandler.connecting(secret, encryption);
    }

    /** For a new connection that has come to this process. */
    public GreetingHandler listening() {
        return GreetingHandler.listening(secret, encryption);
    }
}
