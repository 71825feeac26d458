package org.robber.core.wire;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import org.robber.core.protocol.Greeting;

/**
 * The binary form of the {@link Greeting}. All three have a fixed length, so that a reader takes exactly that many bytes from an
 * unknown sender:
 *
 * <pre>{@code
 *    0       4      5         7            39            71           103
 *   +-------+------+---------+------------+-------------+------------+
 *   | RBBR  | kind | version | nonce      | certificate | proof      |
 *   +-------+------+---------+------------+-------------+------------+
 *    ASCII   u8     u16       32 bytes     32 bytes      32 bytes
 *
 *   Hello      kind 1, 71 bytes: without the proof
 *   Challenge  kind 2, 103 bytes
 *   Proof      kind 3, 37 bytes: magic, kind, proof
 * }</pre>
 *
 * <p>Magic, kind and version stay where they are in all versions of the protocol. Decoding throws {@link WireException}
 * and nothing else, whatever the bytes are.
 */
public final class GreetingCodec {

    /** Length of a {@link Greeting.Hello}. */
    public static final int HELLO_FRAME_BYTES = 4 + 1 + 2 + Greeting.NONCE_BYTES + Greeting.CERTIFICATE_BYTES;

    /** Length of a {@link Greeting.Challenge}. */
    public static final int CHALLENGE_FRAME_BYTES = HELLO_FRAME_BYTES + Greeting.PROOF_BYTES;

    /** Length of a {@link Greeting.Proof}. */
    public static final int PROOF_FRAME_BYTES = 4 + 1 + Greeting.PROOF_BYTES;

    private static final int VERSION_END = 7;
    private static final int MAGIC = 'R' << 24 | 'B' << 16 | 'B' << 8 | 'R';
    private static final String NO_GREETING = "the other side does not speak this protocol";
    private static final int HELLO = 1;
    private static final int CHALLENGE = 2;
    private static final int PROOF = 3;

    private GreetingCodec() {}

    /** A new buffer with the whole form, of the length that belongs to its kind. */
    public static ByteBuffer encode(Greeting greeting) {
        if (greeting instanceof Greeting.Hello hello) {
            ByteBuffer out = begin(HELLO_FRAME_BYTES, HELLO);
            putVersion(hello.version(), out);
            put(hello.nonce(), Greeting.NONCE_BYTES, out);
            put(hello.certificate(), Greeting.CERTIFICATE_BYTES, out);
            return out.flip();
        } else if (greeting instanceof Greeting.Challenge challenge) {
            ByteBuffer out = begin(CHALLENGE_FRAME_BYTES, CHALLENGE);
            putVersion(challenge.version(), out);
            put(challenge.nonce(), Greeting.NONCE_BYTES, out);
            put(challenge.certificate(), Greeting.CERTIFICATE_BYTES, out);
            put(challenge.proof(), Greeting.PROOF_BYTES, out);
            return out.flip();
        } else if (greeting instanceof Greeting.Proof proof) {
            ByteBuffer out = begin(PROOF_FRAME_BYTES, PROOF);
            put(proof.proof(), Greeting.PROOF_BYTES, out);
            return out.flip();
        }
        throw new IllegalArgumentException("no form for " + greeting);
    }

    /**
     * Reads the {@value #HELLO_FRAME_BYTES} bytes between the buffer's position and limit; moves neither.
     *
     * @throws WireException if they are none, or of another version
     */
    public static Greeting.Hello decodeHello(ByteBuffer bytes) {
        FieldReader in = begin(bytes, "Hello", HELLO);
        Greeting.Hello hello = new Greeting.Hello(
                version(in),
                in.bytes("nonce", Greeting.NONCE_BYTES),
                in.bytes("certificate", Greeting.CERTIFICATE_BYTES));
        in.end();
        return hello;
    }

    /**
     * Reads the {@value #CHALLENGE_FRAME_BYTES} bytes between the buffer's position and limit; moves neither.
     *
     * @throws WireException if they are none, or of another version
     */
    public static Greeting.Challenge decodeChallenge(ByteBuffer bytes) {
        FieldReader in = begin(bytes, "Challenge", CHALLENGE);
        Greeting.Challenge challenge = new Greeting.Challenge(
                version(in),
                in.bytes("nonce", Greeting.NONCE_BYTES),
                in.bytes("certificate", Greeting.CERTIFICATE_BYTES),
                in.bytes("proof", Greeting.PROOF_BYTES));
        in.end();
        return challenge;
    }

    /**
     * Reads the {@value #PROOF_FRAME_BYTES} bytes between the buffer's position and limit; moves neither.
     *
     * @throws WireException if they are none
     */
    public static Greeting.Proof decodeProof(ByteBuffer bytes) {
        FieldReader in = begin(bytes, "Proof", PROOF);
        Greeting.Proof proof = new Greeting.Proof(in.bytes("proof", Greeting.PROOF_BYTES));
        in.end();
        return proof;
    }

    /**
     * Checks the first bytes of a greeting, before all of it has come: that of another version may have another length.
     *
     * @throws WireException if no greeting of this version begins like this
     */
    public static void checkBegin(ByteBuffer begun) {
        int bytes = Math.min(Integer.BYTES, begun.remaining());
        for (int i = 0; i < bytes; i++) {
            if (begun.get(begun.position() + i) != (byte) (MAGIC >> (24 - 8 * i))) {
                throw new WireException(WireError.BAD_MAGIC, NO_GREETING);
            }
        }
        if (begun.remaining() >= VERSION_END) {
            FieldReader in = new FieldReader("greeting", begun);
            int unusedMagic = in.i32("magic");
            if (in.u8("kind") != PROOF) {
                int unusedVersion = version(in);
            }
        }
    }

    private static ByteBuffer begin(int frameBytes, int kind) {
        return ByteBuffer.allocate(frameBytes).putInt(MAGIC).put((byte) kind);
    }

    private static void putVersion(int version, ByteBuffer out) {
        checkArgument(version >= 1 && version <= 0xFFFF, "version: %s", version);
        out.putShort((short) version);
    }

    private static void put(byte[] bytes, int length, ByteBuffer out) {
        checkArgument(bytes.length == length, "%s bytes instead of %s", bytes.length, length);
        out.put(bytes);
    }

    private static FieldReader begin(ByteBuffer bytes, String name, int kind) {
        FieldReader in = new FieldReader(name, bytes);
        if (in.i32("magic") != MAGIC) {
            throw in.error(WireError.BAD_MAGIC, NO_GREETING);
        }
        int foundKind = in.u8("kind");
        if (foundKind != kind) {
            throw in.error(WireError.UNKNOWN_TYPE, "kind " + foundKind + " instead of " + kind);
        }
        return in;
    }

    private static int version(FieldReader in) {
        int version = in.u16("version");
        if (version != Greeting.PROTOCOL_VERSION) {
            throw in.error(
                    WireError.WRONG_VERSION,
                    "the other side speaks version " + version + ", this side version " + Greeting.PROTOCOL_VERSION);
        }
        return version;
    }
}
