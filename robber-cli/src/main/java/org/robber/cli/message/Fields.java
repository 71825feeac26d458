package org.robber.cli.message;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Messages that have one field after the other. The sender and the receiver run the same build, so fields have no names. */
public final class Fields {

    private Fields() {}

    /** Writes a message, or a part of it. */
    @FunctionalInterface
    public interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    /**
     * Writes an item of a list.
     *
     * @param <T> the item
     */
    @FunctionalInterface
    public interface Writer<T> {
        void write(DataOutputStream out, T item) throws IOException;
    }

    /**
     * Reads a message, or a part of it.
     *
     * @param <T> what it says
     */
    @FunctionalInterface
    public interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    /** A message. */
    public static byte[] write(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a message.
     *
     * @param what it should be, in words
     * @throws IllegalArgumentException if it is none
     */
    public static <T> T read(byte[] bytes, String what, Reader<T> reader) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return reader.read(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("not " + what + ": " + bytes.length + " bytes", e);
        }
    }

    /** Writes a list of any length. */
    public static <T> void writeAll(DataOutputStream out, Collection<? extends T> items, Writer<T> writer)
            throws IOException {
        out.writeInt(items.size());
        for (T item : items) {
            writer.write(out, item);
        }
    }

    /** Reads a list that {@link #writeAll} wrote. */
    public static <T> List<T> readAll(DataInputStream in, Reader<T> reader) throws IOException {
        List<T> items = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            items.add(reader.read(in));
        }
        return items;
    }
}
