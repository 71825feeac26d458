package org.robber.core.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.io.BaseEncoding;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceMaps;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.Greeting;
import org.robber.core.protocol.Message;

/**
 * Messages and their bytes, written by hand: what these say is what version 2 of the protocol is. A change here is another
 * version.
 *
 * @param value the message
 * @param hex its whole frame, in groups as in {@code docs/reference/protocol.md}; of a piece without the block
 */
record Golden<T>(T value, String hex) {

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

    static final List<Golden<ControlMessage>> CONTROL_MESSAGES = List.of(
            of(
                    new ControlMessage.Announce("j", 1, 2, "B", "h", 77, "", 4096, "s=1"),
                    "00000024 41 0001 6A 00000001 00000002 01 0001 42 0001 68 000000000000004D 0000 1000 0003 733D31"),
            of(
                    new ControlMessage.Announce("j", 0, 2, null, "h", 77, "", 0, "s=1"),
                    "00000021 41 0001 6A 00000000 00000002 00 0001 68 000000000000004D 0000 0000 0003 733D31"),
            of(
                    new ControlMessage.Roster(
                            -2, ImmutableList.of(new ControlMessage.Member("A", "h", 1, "10.0.0.1", 65535))),
                    "00000027 42 FFFFFFFFFFFFFFFE 00000001"
                            + " 0001 41 0001 68 0000000000000001 0008 31302E302E302E31 FFFF"),
            of(new ControlMessage.Refuse(8, "no"), "00000009 43 00000008 0002 6E6F"),
            of(new ControlMessage.Call(3, "barrier"), "00000012 44 0000000000000003 0007 62617272696572"),
            of(new ControlMessage.Arrive(3, bytes("0102")), "0000000F 45 0000000000000003 00000002 0102"),
            of(new ControlMessage.Release(3, bytes("")), "0000000D 46 0000000000000003 00000000"),
            of(new ControlMessage.Publish("t", bytes("FF")), "00000009 47 0001 74 00000001 FF"),
            of(new ControlMessage.Progress("go", 5, 9), "00000015 48 0002 676F 0000000000000005 0000000000000009"),
            of(
                    new ControlMessage.Fail(30, ImmutableList.of(2, 0), "p", "x"),
                    "00000017 49 0000001E 00000002 00000002 00000000 0001 70 0001 78"),
            of(new ControlMessage.Goodbye(), "00000001 4A"),
            of(new ControlMessage.Alive(), "00000001 4B"),
            of(new ControlMessage.DataHello("j", 255, 1, 2), "00000014 4C 0001 6A 00000000000000FF 00000001 00000002"),
            of(new ControlMessage.Lost(2, 5, "p", "x"), "0000000F 4D 00000002 00000005 0001 70 0001 78"),
            of(new ControlMessage.Join("j", "B", "h", 77), "00000013 4E 0001 6A 01 0001 42 0001 68 000000000000004D"),
            of(new ControlMessage.Join("j", null, "h", 77), "00000010 4E 0001 6A 00 0001 68 000000000000004D"),
            of(
                    new ControlMessage.Admit(4, 1, 2, 0, 9, 5, "mob", "d", 7),
                    "0000002D 4F 00000004 00000001 0000000000000002 00000000 0000000000000009 00000005 0003 6D6F62"
                            + " 0001 64 00000007"),
            of(
                    new ControlMessage.Joined(4, new ControlMessage.Member("A", "h", 1, "", 0)),
                    "00000017 50 00000004 0001 41 0001 68 0000000000000001 0000 0000"));

    private static final String NONCE = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F";
    private static final String CERTIFICATE = "A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF";
    private static final String PROOF = "F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEF";

    static final List<Golden<Greeting>> GREETINGS = List.of(
            of(new Greeting.Hello(2, bytes(NONCE), bytes(CERTIFICATE)), "52424252 01 0002 " + NONCE + CERTIFICATE),
            of(
                    new Greeting.Challenge(2, bytes(NONCE), bytes(CERTIFICATE), bytes(PROOF)),
                    "52424252 02 0002 " + NONCE + CERTIFICATE + PROOF),
            of(new Greeting.Proof(bytes(PROOF)), "52424252 03 " + PROOF));

    /** The bytes in {@link #hex}. */
    byte[] bytes() {
        return bytes(hex);
    }

    /** The frame's type code. */
    int typeCode() {
        return bytes()[FrameHead.BYTES - 1];
    }

    /** The frame without its head. */
    byte[] payload() {
        return Arrays.copyOfRange(bytes(), FrameHead.BYTES, bytes().length);
    }

    @Override
    public String toString() {
        return value.getClass().getSimpleName();
    }

    /** The classes of the messages, each once. */
    static <T> Set<Class<?>> classes(List<Golden<T>> golden) {
        return golden.stream().map(one -> one.value().getClass()).collect(Collectors.toSet());
    }

    static byte[] bytes(String hex) {
        return BaseEncoding.base16().decode(hex.replace(" ", ""));
    }

    static String hex(byte[] bytes) {
        return BaseEncoding.base16().encode(bytes);
    }

    static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return hex(bytes);
    }

    private static <T> Golden<T> of(T value, String hex) {
        return new Golden<>(value, hex);
    }
}
