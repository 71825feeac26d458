package org.robber.transport.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that all nodes of a job share. Proves membership without being sent. Immutable; never printed. */
final class Secret {
    private static final String ALGORITHM = "HmacSHA256";

    /** Only copied: a copy spares each proof the search for a provider and the preparation of the key. */
    private final Mac keyed;

    /** @param bytes the secret; empty where the job has none: then every node that speaks the protocol is a member */
    Secret(byte[] bytes) {
        // An HMAC key must not be empty, so a zero byte is appended. HMAC pads keys with zeros, so for a secret of less
        // than 64 bytes this is
        // the key that the secret itself would be.
        byte[] material = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, material, 0, bytes.length);
        try {
            this.keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(material, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** The proof of the side named by the label, over what both have said: each part has a fixed length. */
    byte[] proof(String label, byte[]... said) {
        Mac mac = copy();
        mac.update(label.getBytes(StandardCharsets.US_ASCII));
        for (byte[] part : said) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    private Mac copy() {
        try {
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the provider of " + ALGORITHM + " cannot copy its state", e);
        }
    }

    /** Whether this is the proof that the side would give; takes the same time whatever the answer. */
    boolean proves(byte[] proof, String label, byte[]... said) {
        return MessageDigest.isEqual(proof, proof(label, said));
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
