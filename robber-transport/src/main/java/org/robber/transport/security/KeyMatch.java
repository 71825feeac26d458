package org.robber.transport.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a private key belongs to a certificate. TLS finds out only in the handshake, and names neither file then, nor which side
 * is at fault.
 */
final class KeyMatch {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final byte[] ANYTHING = "robber".getBytes(StandardCharsets.US_ASCII);

    private KeyMatch() {}

    /**
     * Looks whether what the key signs is what the certificate's key confirms.
     *
     * @param key PEM, PKCS #8; other content is not checked here
     * @return false if it belongs to another certificate; true also of kinds of keys that this doesn't know
     */
    static boolean matches(Path key, PublicKey ofCertificate) throws IOException, GeneralSecurityException {
        Matcher pem = PEM.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
        String algorithm = switch (ofCertificate.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            case "EdDSA" -> "EdDSA";
            default -> "";
        };
        if (algorithm.isEmpty() || !pem.find()) {
            return true;
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(KeyFactory.getInstance(ofCertificate.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            signature.update(ANYTHING);
            byte[] signed = signature.sign();
            signature.initVerify(ofCertificate);
            signature.update(ANYTHING);
            return signature.verify(signed);
        } catch (InvalidKeySpecException | InvalidKeyException | SignatureException e) {
            // a key of another kind, or of another size
            return false;
        }
    }
}
