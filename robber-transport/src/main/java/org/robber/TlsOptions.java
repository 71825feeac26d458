package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether the connections of a job are encrypted, by TLS 1.3, and with which keys. Every node must choose the same.
 *
 * @param mode whether to encrypt
 * @param files certificates of the user's own; null: each process makes a key for itself, which the others trust because
 *     it comes with a proof of the shared secret
 */
public record TlsOptions(Mode mode, @Nullable Files files) {
    private static final TlsOptions AUTO = new TlsOptions(Mode.AUTO, null);
    private static final TlsOptions ON = new TlsOptions(Mode.ON, null);
    private static final TlsOptions OFF = new TlsOptions(Mode.OFF, null);

    public TlsOptions {
        checkArgument(mode != Mode.OFF || files == null, "certificates for connections that are not encrypted");
    }

    /** Whether connections are encrypted. */
    public enum Mode {
        /** If there are keys for it: a shared secret, or certificates. */
        AUTO,
        /** Always; without keys the job can't be joined. */
        ON,
        /** Never. */
        OFF
    }

    /**
     * Certificates of the user's own, in PEM files.
     *
     * @param certificate this node's certificate, and those between it and the authority
     * @param key its private key, in PKCS #8 and without a password
     * @param authority every node with a certificate by one of these may take part
     */
    public record Files(Path certificate, Path key, Path authority) {}

    /** Encrypted if there is a shared secret. */
    public static TlsOptions auto() {
        return AUTO;
    }

    /** Encrypted; there must be a shared secret. */
    public static TlsOptions on() {
        return ON;
    }

    /** Not encrypted. */
    public static TlsOptions off() {
        return OFF;
    }

    /** Encrypted with these certificates. */
    public static TlsOptions of(Files files) {
        return new TlsOptions(Mode.ON, files);
    }
}
