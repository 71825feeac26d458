package org.robber.core.protocol;

/**
 * The first words on every connection, in this order; nothing else is read or said before they are over:
 *
 * <pre>{@code
 *   connecting side                                 listening side
 *   Hello(version, nonceC, certificateC)    -->
 *                                           <--     Challenge(version, nonceL, certificateL, proofL)
 *   Proof(proofC)                           -->
 * }</pre>
 *
 * <p>proofL = HMAC-SHA256(secret, "robber listen" | nonceC | nonceL | certificateC | certificateL), proofC the same with
 * "robber connect": both sides prove the shared secret over fresh nonces, and no proof can be reflected. A certificate
 * stands here by its SHA-256, or as zeros on a side that doesn't encrypt: it is the one, and the only one, that this side
 * will show in the TLS handshake that follows.
 */
public sealed interface Greeting {

    /** Version of the protocol spoken here; peers of another version are refused. */
    int PROTOCOL_VERSION = 3;

    /** Length of a nonce, in bytes. */
    int NONCE_BYTES = 32;

    /** Length of the digest of a certificate, in bytes. */
    int CERTIFICATE_BYTES = 32;

    /** Length of a proof, in bytes. */
    int PROOF_BYTES = 32;

    /** The connecting side's first word. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Hello(int version, byte[] nonce, byte[] certificate) implements Greeting {}

    /** The listening side's answer. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Challenge(int version, byte[] nonce, byte[] certificate, byte[] proof) implements Greeting {}

    /** The connecting side's proof; its first frame follows at once. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Proof(byte[] proof) implements Greeting {}
}
