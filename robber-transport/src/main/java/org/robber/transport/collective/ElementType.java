package org.robber.transport.collective;

import java.util.Locale;

/** The type of the elements of a user's data. */
enum ElementType {
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
    byte code() {
        return code;
    }

    /** The type of this number. */
    static ElementType ofCode(byte code) {
        for (ElementType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("no type of elements has the number " + code);
    }

    /** Size of an element. */
    int bytes() {
        return bytes;
    }

    /** The name of the type in Java. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
