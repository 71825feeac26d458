package org.robber.transport.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class SecretTest {

    @Test
    void aProofIsTheHmacOfRfc4231() {
        assertThat(code(bytes(20, 0x0b), "Hi There"))
                .isEqualTo("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
        assertThat(code("Jefe".getBytes(US_ASCII), "what do ya want for nothing?"))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assertThat(code(bytes(131, 0xaa), "Test Using Larger Than Block-Size Key - Hash Key First"))
                .isEqualTo("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    @Test
    void aProofIsTheHmacOfThePlatformForKeysOfEachLength() throws Exception {
        Random random = new Random(19);
        for (int keyBytes = 1; keyBytes < 140; keyBytes++) {
            byte[] key = new byte[keyBytes];
            random.nextBytes(key);
            Mac platform = Mac.getInstance("HmacSHA256");
            platform.init(new SecretKeySpec(key, "HmacSHA256"));
            String message = "message " + keyBytes;
            assertThat(code(key, message))
                    .as("key of %s bytes", keyBytes)
                    .isEqualTo(HexFormat.of().formatHex(platform.doFinal(message.getBytes(US_ASCII))));
        }
    }

    @Test
    void aKeyOfNothingIsAKeyOfZeros() {
        assertThat(code(new byte[0], "message")).isEqualTo(code(new byte[64], "message"));
    }

    private static byte[] bytes(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static String code(byte[] key, String message) {
        return HexFormat.of().formatHex(new Secret(key).proof(message));
    }
}
