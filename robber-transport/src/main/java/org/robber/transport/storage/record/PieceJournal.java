package org.robber.transport.storage.record;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Staging;

/**
 * A file beside a half-written copy that names its verified pieces with their digests. A piece counts only after it was read
 * back and its digest matches. So no record has to be forced to the disk or revoked. When the copy is complete, the digests of its {@link
 * FileParts} follow.
 *
 * <p>Format, version 2, all numbers big-endian: {@code RJNL}, a byte 2; length of the head; the head, that is size of the
 * data (8 bytes), piece size (4), number of parts (4), length of a digest (1), length of its name (1), the name, and the encoded
 * manifest; CRC-32C of the head. Then for each verified piece its number (4), its digest, and the CRC-32C of the head's CRC, the number
 * and the digest. Numbers from the number of pieces on are those of parts. The last record of a number counts; a record that is torn or
 * damaged is skipped.
 *
 * <p>Appending is thread-safe.
 */
public final class PieceJournal implements Closeable {
    private static final byte[] MAGIC = {'R', 'J', 'N', 'L', 2};
    private static final int FIXED_HEAD_BYTES = Long.BYTES + 2 * Integer.BYTES + 2;
    private static final int MAX_HEAD_BYTES = FIXED_HEAD_BYTES + 255 + ManifestCodec.MAX_ENCODED_BYTES;

    private static final int FREE_TABLE_BYTES = 1 << 24;
    private static final int LEAST_SHARE = 1000;

    /** A process that is killed fetches this much again, at most: each write of a record costs more than hashing a small piece. */
    static final int MOST_UNRECORDED_BYTES = 1 << 20;

    private static final int UNWRITTEN_BYTES = 4 << 10;

    private final FileChannel channel;
    private final Head head;
    private final int headCrc;

    /** Records that the file does not have yet. */
    private final ByteBuffer unwritten = ByteBuffer.allocate(UNWRITTEN_BYTES);

    private long unrecordedBytes;

    private PieceJournal(FileChannel channel, Head head, int headCrc) {
        this.channel = channel;
        this.head = head;
        this.headCrc = headCrc;
    }

    /**
     * What a journal is about.
     *
     * @param manifest the encoded manifest of what is copied
     * @param layout the pieces
     * @param parts how many {@link FileParts} there are
     * @param digest name of their digest
     * @param digestBytes length of a digest
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared here
    public record Head(byte[] manifest, PieceLayout layout, int parts, String digest, int digestBytes) {

        boolean hasSamePieces(Head other) {
            return layout.equals(other.layout) && digest.equals(other.digest) && digestBytes == other.digestBytes;
        }

        private byte[] toBytes() {
            byte[] name = digest.getBytes(US_ASCII);
            return ByteBuffer.allocate(FIXED_HEAD_BYTES + name.length + manifest.length)
                    .putLong(layout.totalBytes())
                    .putInt(layout.pieceBytes())
                    .putInt(parts)
                    .put((byte) digestBytes)
                    .put((byte) name.length)
                    .put(name)
                    .put(manifest)
                    .array();
        }

        /** Null if the bytes are no head. */
        private static @Nullable Head fromBytes(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            try {
                PieceLayout layout = new PieceLayout(in.getLong(), in.getInt());
                int parts = in.getInt();
                int digestBytes = in.get();
                byte[] name = new byte[in.get() & 0xff];
                in.get(name);
                byte[] manifest = Arrays.copyOfRange(bytes, in.position(), bytes.length);
                String digest = new String(name, US_ASCII);
                return PieceHashers.named(digest).digestBytes() == digestBytes
                                && parts >= 0
                                && parts <= PieceLayout.MAX_PIECES
                        ? new Head(manifest, layout, parts, digest, digestBytes)
                        : null;
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                return null;
            }
        }
    }

    /**
     * What a journal says.
     *
     * @param digests of the pieces that it names
     * @param parts digests of the parts that it names
     * @param endBytes where its last whole record ends
     */
    public record Content(Head head, DigestTable digests, DigestTable parts, long endBytes) {}

    /** Reads a journal; null if there is none, or none that can be used. */
    public static @Nullable Content read(Path file) throws IOException {
        FileStat stat = FileStat.ofAny(file);
        // Opening a fifo would wait for its writer.
        if (stat == null || !stat.isFile()) {
            return null;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(
                Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS), 1 << 16))) {
            byte[] magic = in.readNBytes(MAGIC.length);
            if (!Arrays.equals(magic, MAGIC)) {
                return null;
            }
            int headBytes = in.readInt();
            if (headBytes < FIXED_HEAD_BYTES || headBytes > Math.min(MAX_HEAD_BYTES, Files.size(file))) {
                return null;
            }
            byte[] bytes = in.readNBytes(headBytes);
            int crc = in.readInt();
            Head head = crc == crc(ByteBuffer.wrap(bytes)) ? Head.fromBytes(bytes) : null;
            long startBytes = MAGIC.length + 2L * Integer.BYTES + headBytes;
            return head == null || !isWorthItsMemory(head, Files.size(file) - startBytes)
                    ? null
                    : readRecords(in, head, crc, startBytes);
        } catch (NoSuchFileException | EOFException e) {
            return null;
        }
    }

    /** Whether records of this length can name one piece in a thousand, where the digests of all would take much memory. */
    private static boolean isWorthItsMemory(Head head, long recordsBytes) {
        long all = (long) head.layout.pieceCount() + head.parts;
        return all * head.digestBytes <= FREE_TABLE_BYTES
                || recordsBytes / (2 * Integer.BYTES + head.digestBytes) >= all / LEAST_SHARE;
    }

    private static Content readRecords(DataInputStream in, Head head, int headCrc, long startBytes) throws IOException {
        int pieces = head.layout.pieceCount();
        DigestTable digests = new DigestTable(pieces, head.digestBytes);
        DigestTable parts = new DigestTable(head.parts, head.digestBytes);
        int recordBytes = 2 * Integer.BYTES + head.digestBytes;
        long endBytes = startBytes;
        byte[] record = new byte[recordBytes];
        while (in.readNBytes(record, 0, recordBytes) == recordBytes) {
            endBytes += recordBytes;
            ByteBuffer fields = ByteBuffer.wrap(record);
            int number = fields.getInt();
            byte[] digest = new byte[head.digestBytes];
            fields.get(digest);
            if (number < 0 || fields.getInt() != recordCrc(headCrc, number, digest)) {
                continue;
            }
            if (number < pieces) {
                digests.set(number, digest);
            } else if (number - pieces < head.parts) {
                parts.set(number - pieces, digest);
            }
        }
        return new Content(head, digests, parts, endBytes);
    }

    /** Begins a journal, in place of one that may be there, that names these pieces. */
    static PieceJournal begin(Path file, Head head, DigestTable digests) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Staging.delete(next);
        byte[] bytes = head.toBytes();
        int crc = crc(ByteBuffer.wrap(bytes));
        FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        PieceJournal journal = new PieceJournal(channel, head, crc);
        try {
            ByteBuffer start = ByteBuffer.allocate(MAGIC.length + 2 * Integer.BYTES + bytes.length)
                    .put(MAGIC)
                    .putInt(bytes.length)
                    .put(bytes)
                    .putInt(crc)
                    .flip();
            writeFully(channel, start);
            journal.appendAll(digests, 0);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            return journal;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Goes on with a journal that was read, behind its last whole record. */
    static PieceJournal resume(Path file, Content content) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            channel.truncate(content.endBytes()).position(content.endBytes());
            return new PieceJournal(
                    channel, content.head(), crc(ByteBuffer.wrap(content.head().toBytes())));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Adds a piece, whose bytes are written. The file has the record at the latest after {@link #MOST_UNRECORDED_BYTES} of data, and with
     * {@link #flush}.
     */
    synchronized void append(int piece, byte[] digest) throws IOException {
        put(piece, digest);
        unrecordedBytes += head.layout.lengthBytes(piece);
        if (unrecordedBytes >= MOST_UNRECORDED_BYTES) {
            flush();
        }
    }

    /** Adds the parts of files that are known. */
    synchronized void appendParts(DigestTable parts) throws IOException {
        appendAll(parts, head.layout.pieceCount());
    }

    private synchronized void appendAll(DigestTable digests, int firstNumber) throws IOException {
        for (int i = digests.known().first(); i >= 0; i = digests.known().nextFrom(i + 1)) {
            put(firstNumber + i, digests.get(i));
        }
        flush();
    }

    private synchronized void put(int number, byte[] digest) throws IOException {
        if (unwritten.remaining() < 2 * Integer.BYTES + digest.length) {
            flush();
        }
        unwritten.putInt(number).put(digest).putInt(recordCrc(headCrc, number, digest));
    }

    /** Writes the records that the file does not have. */
    synchronized void flush() throws IOException {
        try {
            writeFully(channel, unwritten.flip());
        } finally {
            unwritten.compact();
        }
        unrecordedBytes = 0;
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static int recordCrc(int headCrc, int number, byte[] digest) {
        return crc(ByteBuffer.allocate(2 * Integer.BYTES + digest.length)
                .putInt(headCrc)
                .putInt(number)
                .put(digest)
                .flip());
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public synchronized void close() throws IOException {
        try (channel) {
            flush();
        }
    }
}
