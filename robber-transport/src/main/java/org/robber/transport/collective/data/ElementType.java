package org.robber.transport.collective.data;

import java.util.Locale;

/** The type of the elements of a user's data. */
public enum ElementType {
    BYTE(0, Byte.BYTES),
    CHAR(1, Character.BYTES),
    SHORT(2, Short.BYTES),
    INT(3, Integer.BYTES),
    LONG(4, Long.BYTES),
    FLOAT(5, Float.BYTES),
    DOUBLE(6, Double.BYTES);

    private final byte code;
    private final int bytes;

    ElementType(int code, int bytes) {
        this.code = (byte) code;
        this.bytes = bytes;
    }

    /** The number of the type in messages. */
    public byte code() {
        return code;
    }

    /** The type of this number. */
    public static ElementType ofCode(byte code) {
        for (ElementType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("no type of elements has the number " + code);
    }

    /** Size of an element. */
    public int bytes() {
        return bytes;
    }

    /** The name of the type in Java. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
