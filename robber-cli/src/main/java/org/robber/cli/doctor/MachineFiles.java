package org.robber.cli.doctor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files in which a machine tells of itself, below {@code /proc}, {@code /sys} and {@code /etc}.
 *
 * @param root {@code /}, or a folder with the files of another machine
 */
record MachineFiles(Path root) {

    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * The text of a file without blanks around it; null if it is not there or cannot be read. The kernel gives a parameter to the
     * first call that reads it, and nothing to the second. So the first must not ask for a single byte, as the methods of Files do.
     */
    @Nullable
    String text(String path) {
        byte[] buffer = new byte[BUFFER_BYTES];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Files.newInputStream(root.resolve(path))) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes.write(buffer, 0, read);
            }
        } catch (IOException e) {
            return null;
        }
        return bytes.toString(StandardCharsets.ISO_8859_1).strip();
    }

    /** The lines of a file; none if it is not there. */
    List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** The words of a kernel parameter, such as {@code net.ipv4.tcp_rmem}; none if this kernel doesn't have it. */
    List<String> parameter(String name) {
        String text = text("proc/sys/" + name.replace('.', '/'));
        return text == null || text.isEmpty() ? List.of() : Arrays.asList(text.split("\\s+"));
    }

    /** The number at a place of a kernel parameter, from 0; -1 if there is none. */
    long number(String parameter, int index) {
        List<String> words = parameter(parameter);
        return index < words.size() ? number(words.get(index)) : -1;
    }

    /** The number that a text is; -1 if it is none, or is negative. */
    static long number(@Nullable String text) {
        try {
            return text == null ? -1 : Math.max(-1, Long.parseLong(text));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The names in a folder, sorted; none if it is not there. */
    List<String> names(String folder) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
