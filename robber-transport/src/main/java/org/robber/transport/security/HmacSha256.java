package org.robber.transport.security;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * HMAC of RFC 2104 with SHA-256 and one key. {@link javax.crypto.Mac} would search for its provider and read the policies of encryption. That takes a
 * twentieth of the processor time of a node with few data. Immutable.
 */
final class HmacSha256 {
    private static final int BLOCK_BYTES = 64;
    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    /** Only copied. */
    private final MessageDigest inner;

    private final MessageDigest outer;

    /** @param key of any length; zeros at the end of a key of up to 64 bytes change nothing */
    HmacSha256(byte[] key) {
        byte[] block = Arrays.copyOf(key.length > BLOCK_BYTES ? sha256().digest(key) : key, BLOCK_BYTES);
        this.inner = afterPad(block, INNER_PAD);
        this.outer = afterPad(block, OUTER_PAD);
    }

    private static MessageDigest afterPad(byte[] key, byte pad) {
        byte[] padded = new byte[key.length];
        for (int i = 0; i < key.length; i++) {
            padded[i] = (byte) (key[i] ^ pad);
        }
        MessageDigest digest = sha256();
        digest.update(padded);
        return digest;
    }

    /** A digest to be updated with the message, and given to {@link #end}. */
    MessageDigest begin() {
        return copy(inner);
    }

    /** The code of the message. */
    byte[] end(MessageDigest message) {
        return copy(outer).digest(message.digest());
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the provider of SHA-256 cannot copy its state", e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
