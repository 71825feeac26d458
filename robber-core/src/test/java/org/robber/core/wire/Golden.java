package org.robber.core.wire;

import com.google.common.io.BaseEncoding;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceMaps;
import org.robber.core.protocol.Greeting;
import org.robber.core.protocol.Message;

/**
 * Messages and their bytes, written by hand: what these say is what version 3 of the protocol is. A change here is another
 * version.
 *
 * @param value the message
 * @param hex its whole frame, in groups as in {@code docs/reference/protocol.md}; of a piece without the block
 */
public record Golden<T>(T value, String hex) {

    /** What the golden messages between peers are about: 10 pieces of 10 bytes, with digests of 4 bytes. */
    static final MessageCodec CODEC = new MessageCodec(new PieceLayout(100, 10), 4);

    static final List<Golden<Message>> MESSAGES = List.of(
            of(new Message.Bitfield(PieceMaps.parse("#.#.#....#")), "00000008 01 01 0000000A 15 02"),
            of(new Message.Have(9), "00000005 02 00000009"),
            of(new Message.Request(3), "00000005 03 00000003"),
            // 4 bytes of the block follow.
            of(
                    new Message.PieceBlock(2, 6, 4, 3, bytes("DEADBEEF")),
                    "00000016 04 00000002 00000006 00000003 04 DEADBEEF"),
            of(new Message.Desire(PieceMaps.parse("..###.....")), "00000008 05 00 0000000A 02 03"),
            of(new Message.Steal(10, 3), "00000009 06 0000000A 00000003"),
            of(new Message.Work(PieceMaps.parse("..........")), "00000006 07 00 0000000A"),
            of(new Message.FoundWork(), "00000001 08"),
            of(new Message.Done(), "00000001 09"),
            of(new Message.Stop(), "00000001 0A"),
            of(new Message.Reject(0), "00000005 0B 00000000"),
            of(new Message.Cancel(1), "00000005 0C 00000001"),
            of(
                    new Message.Begin(7, 1, 100, 10, "robber", "xxh3"),
                    "00000027 0D 0000000000000007 00000001 0000000000000064 0000000A"
                            + " 0006 726F62626572 0004 78786833"),
            of(new Message.KeepAlive(), "00000001 0E"),
            of(new Message.Abort(24, "é!"), "0000000A 0F 00000018 0003 C3A921"),
            of(new Message.Choke(), "00000001 10"),
            of(new Message.Unchoke(), "00000001 11"),
            of(new Message.Interested(), "00000001 12"),
            of(new Message.NotInterested(), "00000001 13"));

    private static final String NONCE = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F";
    private static final String CERTIFICATE = "A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF";
    private static final String PROOF = "F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEF";

    static final List<Golden<Greeting>> GREETINGS = List.of(
            of(new Greeting.Hello(3, bytes(NONCE), bytes(CERTIFICATE)), "52424252 01 0003 " + NONCE + CERTIFICATE),
            of(
                    new Greeting.Challenge(3, bytes(NONCE), bytes(CERTIFICATE), bytes(PROOF)),
                    "52424252 02 0003 " + NONCE + CERTIFICATE + PROOF),
            of(new Greeting.Proof(bytes(PROOF)), "52424252 03 " + PROOF));

    /** The bytes in {@link #hex}. */
    public byte[] bytes() {
        return bytes(hex);
    }

    /** The frame's type code. */
    public int typeCode() {
        return bytes()[FrameHead.BYTES - 1];
    }

    /** The frame without its head. */
    public byte[] payload() {
        return Arrays.copyOfRange(bytes(), FrameHead.BYTES, bytes().length);
    }

    @Override
    public String toString() {
        return value.getClass().getSimpleName();
    }

    /** The classes of the messages, each once. */
    public static <T> Set<Class<?>> classes(List<Golden<T>> golden) {
        return golden.stream().map(one -> one.value().getClass()).collect(Collectors.toSet());
    }

    public static byte[] bytes(String hex) {
        return BaseEncoding.base16().decode(hex.replace(" ", ""));
    }

    public static String hex(byte[] bytes) {
        return BaseEncoding.base16().encode(bytes);
    }

    public static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return hex(bytes);
    }

    public static <T> Golden<T> of(T value, String hex) {
        return new Golden<>(value, hex);
    }
}
