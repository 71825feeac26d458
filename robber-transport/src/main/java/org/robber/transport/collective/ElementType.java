package org.robber.transport.collective;

import java.util.Locale;

/** The type of the elements of a user's data. */
enum ElementType {
    BYTE(Byte.BYTES),
    CHAR(Character.BYTES),
    SHORT(Short.BYTES),
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
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
