package org.robber.transport.digest;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, for jobs whose members are not trusted. Ten times slower without the optimising compiler. */
final class Sha256Hasher implements PieceHasher {

    @Override
    public String name() {
        return "sha256";
    }

    @Override
    public int digestBytes() {
        return 32;
    }

    @Override
    public byte[] hash(ByteBuffer data) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
        digest.update(data.duplicate());
        return digest.digest();
    }
}
