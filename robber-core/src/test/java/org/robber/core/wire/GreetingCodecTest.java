package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.protocol.Greeting;

class GreetingCodecTest {

    static List<Golden<Greeting>> greetings() {
        return Golden.GREETINGS;
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void writesGoldenBytes(Golden<Greeting> golden) {
        assertThat(Golden.hex(GreetingCodec.encode(golden.value())))
                .isEqualTo(golden.hex().replace(" ", ""));
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void readsGoldenBytes(Golden<Greeting> golden) {
        assertThat(decode(golden, golden.bytes())).usingRecursiveComparison().isEqualTo(golden.value());
    }

    @Test
    void everyGreetingHasItsGoldenBytesAndItsLength() {
        assertThat(Golden.classes(Golden.GREETINGS)).containsExactlyInAnyOrder(Greeting.class.getPermittedSubclasses());
        assertThat(Golden.GREETINGS.stream().map(golden -> golden.bytes().length))
                .containsExactly(
                        GreetingCodec.HELLO_FRAME_BYTES,
                        GreetingCodec.CHALLENGE_FRAME_BYTES,
                        GreetingCodec.PROOF_FRAME_BYTES);
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void otherLengthsAreRefused(Golden<Greeting> golden) {
        int right = golden.bytes().length;
        for (int length = 0; length < right; length++) {
            assertRefused(WireError.TRUNCATED, golden, Arrays.copyOf(golden.bytes(), length));
        }
        assertRefused(WireError.TRAILING, golden, Arrays.copyOf(golden.bytes(), right + 1));
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void otherProtocolsAreRefused(Golden<Greeting> golden) {
        byte[] http = Arrays.copyOf(
                "GET / HTTP/1.1\r\nHost: example.org".getBytes(StandardCharsets.US_ASCII), golden.bytes().length);
        assertRefused(WireError.BAD_MAGIC, golden, http);
        byte[] otherKind = golden.bytes();
        otherKind[4] = 4;
        assertRefused(WireError.UNKNOWN_TYPE, golden, otherKind);
    }

    @Test
    void otherVersionsAreNamed() {
        for (Golden<Greeting> golden : Golden.GREETINGS.subList(0, 2)) {
            byte[] bytes = golden.bytes();
            bytes[5] = 1;
            bytes[6] = 2;
            assertRefused(WireError.WRONG_VERSION, golden, bytes);
            assertThatThrownBy(() -> decode(golden, bytes))
                    .hasMessageContaining("speaks version 258, this side version 3");
        }
    }

    @Test
    void noncesAndProofsHaveTheirLength() {
        assertThatThrownBy(() -> GreetingCodec.encode(new Greeting.Hello(1, new byte[31], new byte[32])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GreetingCodec.encode(new Greeting.Hello(1, new byte[32], new byte[33])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GreetingCodec.encode(new Greeting.Proof(new byte[33])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GreetingCodec.encode(new Greeting.Hello(0, new byte[32], new byte[32])))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Greeting decode(Golden<Greeting> golden, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (golden.value() instanceof Greeting.Hello) {
            return GreetingCodec.decodeHello(in);
        }
        return golden.value() instanceof Greeting.Challenge
                ? GreetingCodec.decodeChallenge(in)
                : GreetingCodec.decodeProof(in);
    }

    private static void assertRefused(WireError error, Golden<Greeting> golden, byte[] bytes) {
        assertThatThrownBy(() -> decode(golden, bytes))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
