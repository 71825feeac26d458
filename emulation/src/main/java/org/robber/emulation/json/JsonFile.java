package org.robber.emulation.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files of JSON, as far as the heap of a short command can hold what they say. */
public final class JsonFile {

    /** Values in memory take some 20 times as much. */
    public static final int MOST_BYTES = 16 << 20;

    /** Editors of Windows put it before a text in UTF-8. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private JsonFile() {}

    /**
     * The text of a file, or of a pipe, without a byte order mark.
     *
     * @throws JsonException if it cannot be read, is not in UTF-8, or has more than {@link #MOST_BYTES}; of those no more is read
     */
    public static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > MOST_BYTES) {
                throw tooLarge(file);
            }
            // A pipe or a device does not tell its size.
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw tooLarge(file);
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (NoSuchFileException e) {
            throw new JsonException(file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new JsonException(file + ": no permission to read it", e);
        } catch (CharacterCodingException e) {
            throw new JsonException(file + ": not a text in UTF-8", e);
        } catch (IOException e) {
            throw new JsonException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static JsonException tooLarge(Path file) {
        return new JsonException(file + ": larger than " + (MOST_BYTES >> 20) + " MiB, the most that is read");
    }
}
