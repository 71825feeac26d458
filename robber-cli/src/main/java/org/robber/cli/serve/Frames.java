package org.robber.cli.serve;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.cli.message.Fields;

/** What an operator's process and a daemon say to each other: frames of a kind, a length and so many bytes. One thread reads; any thread writes. */
public final class Frames {
    /** Most bytes of a frame. */
    public static final int MOST_BYTES = 64 << 10;

    private final DataInputStream input;
    private final OutputStream output;

    /** What a frame is. */
    public enum Kind {
        /** From the operator, first of all: a node is wanted. Holds a {@link StartRequest}. */
        START(0),
        /** From the daemon: the node runs. Holds a {@link Started}. */
        READY(1),
        /** From the daemon, in place of {@link #READY}: why there is no node, as text. */
        REFUSED(2),
        /** From the operator: bytes for the standard input of the node. None: its end. */
        INPUT(3),
        /** From the daemon: bytes of the standard output of the node. */
        OUTPUT(4),
        /** From the daemon: bytes of the standard error of the node. */
        ERRORS(5),
        /** From the daemon, last of all: the exit code of the node, in four bytes. */
        EXIT(6);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static Kind of(int code) throws IOException {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IOException("it sent what is no frame: kind " + code);
        }
    }

    /** A frame that has come. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(Kind kind, byte[] bytes) {
        /** The bytes as text. */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Over these streams. */
    public Frames(InputStream input, OutputStream output) {
        this.input = new DataInputStream(input);
        this.output = output;
    }

    /**
     * Waits for the next frame; null at the end.
     *
     * @throws IOException if what comes is no frame, or breaks off
     */
    public @Nullable Frame read() throws IOException {
        int code = input.read();
        if (code < 0) {
            return null;
        }
        Kind kind = Kind.of(code);
        return whole(input, in -> {
            int length = in.readInt();
            if (length < 0 || length > MOST_BYTES) {
                throw new IOException("it sent what is no frame: " + kind + " of " + length + " bytes");
            }
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            return new Frame(kind, bytes);
        });
    }

    /** Reads the content of a frame. */
    static <T> T parse(byte[] bytes, Fields.Reader<T> reader) throws IOException {
        return whole(new DataInputStream(new ByteArrayInputStream(bytes)), reader);
    }

    private static <T> T whole(DataInputStream in, Fields.Reader<T> reader) throws IOException {
        try {
            return reader.read(in);
        } catch (EOFException e) {
            throw new IOException("it broke off in the middle of a message", e);
        }
    }

    /** Writes a text as one frame, or as much of it as fits. */
    public void write(Kind kind, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(kind, bytes, 0, Math.min(bytes.length, MOST_BYTES));
    }

    /** Writes one frame. */
    public void write(Kind kind, byte[] bytes) throws IOException {
        write(kind, bytes, 0, bytes.length);
    }

    /** Writes bytes, in as many frames as they need. */
    public void write(Kind kind, byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        do {
            int count = Math.min(MOST_BYTES, offset + length - at);
            byte[] frame = Fields.write(out -> {
                out.writeByte(kind.code);
                out.writeInt(count);
            });
            byte[] whole = Arrays.copyOf(frame, frame.length + count);
            System.arraycopy(bytes, at, whole, frame.length, count);
            synchronized (output) {
                output.write(whole);
            }
            at += count;
        } while (at < offset + length);
    }
}
