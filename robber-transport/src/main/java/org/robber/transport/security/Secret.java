package org.robber.transport.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The secret that all nodes of a job share. Proves membership without being sent. Immutable; never printed. */
final class Secret {
    private final HmacSha256 keyed;

    /** @param bytes the secret; empty where the job has none: then every node that speaks the protocol is a member */
    Secret(byte[] bytes) {
        this.keyed = new HmacSha256(bytes);
    }

    /** The proof of the side named by the label, over what both have said: each part has a fixed length. */
    byte[] proof(String label, byte[]... said) {
        MessageDigest inner = keyed.begin();
        inner.update(label.getBytes(StandardCharsets.US_ASCII));
        for (byte[] part : said) {
            inner.update(part);
        }
        return keyed.end(inner);
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
