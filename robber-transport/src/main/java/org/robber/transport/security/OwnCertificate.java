package org.robber.transport.security;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;

/**
 * A fresh key, and the certificate that TLS wants for it. The certificate says nothing of worth: whether to trust it is
 * decided by its digest, which comes with a proof of the shared secret.
 *
 * <p>Java makes keys but no certificates, so the few fields that one must have are written here, in DER.
 */
record OwnCertificate(PrivateKey key, X509Certificate certificate) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_ID = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int EXPLICIT_0 = 0xA0;

    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};
    private static final byte[] ECDSA_WITH_SHA256 = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02};
    private static final byte[] VERSION_3 = {2};
    private static final byte[] SERIAL = {1};
    private static final byte[] NO_UNUSED_BITS = {0};

    /** Of a new key on the curve P-256. */
    static OwnCertificate create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
            byte[] content = content(algorithm, keys.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            byte[] certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, NO_UNUSED_BITS, signature.sign()));
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return new OwnCertificate(keys.getPrivate(), (X509Certificate)
                    factory.generateCertificate(new ByteArrayInputStream(certificate)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has P-256 and X.509", e);
        }
    }

    private static byte[] content(byte[] algorithm, byte[] publicKey) {
        byte[] name =
                der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, ascii("robber")))));
        // It lives as long as this process; clocks of machines that disagree must not end a job.
        byte[] validity =
                der(SEQUENCE, der(UTC_TIME, ascii("200101000000Z")), der(GENERALIZED_TIME, ascii("99991231235959Z")));
        return der(
                SEQUENCE,
                der(EXPLICIT_0, der(INTEGER, VERSION_3)),
                der(INTEGER, SERIAL),
                algorithm,
                name,
                validity,
                name,
                publicKey);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Tag, length and content; nothing here reaches 64 KiB. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length > 0xFF) {
            out.write(0x82);
            out.write(length >> 8);
        } else if (length > 0x7F) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
