package org.robber.transport.manifest;

import java.util.Arrays;

/** Writes unsigned LEB128 numbers and bytes to a growing array. */
final class NumberWriter {
    private byte[] bytes;
    private int length;

    NumberWriter(long expectedBytes) {
        bytes = new byte[(int) Math.min(expectedBytes, ManifestCodec.MAX_ENCODED_BYTES)];
    }

    void number(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Numbers close to zero, above or below, are short. */
    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void bytes(byte[] added) {
        reserve(added.length);
        System.arraycopy(added, 0, bytes, length, added.length);
        length += added.length;
    }

    /** The length, then the bytes. */
    void text(byte[] added) {
        number(added.length);
        bytes(added);
    }

    byte[] toByteArray() {
        if (length > ManifestCodec.MAX_ENCODED_BYTES) {
            throw new ManifestException("more than " + ManifestCodec.MAX_ENCODED_BYTES + " bytes");
        }
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        if (length > ManifestCodec.MAX_ENCODED_BYTES) {
            throw new ManifestException("more than " + ManifestCodec.MAX_ENCODED_BYTES + " bytes");
        }
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, length + (length >> 1)));
        }
    }
}
