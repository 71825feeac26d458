package org.robber.cli.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a file or folder. */
public final class FileNameText implements ITypeConverter<Path> {
    /** Java replaces bytes that it cannot decode by this character, so that the name would be another. */
    private static final char REPLACEMENT = '\uFFFD';

    @Override
    public Path convert(String text) {
        check(text);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Refuses a name that cannot be meant. */
    static void check(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("the name is empty");
        }
        if (!isDecoded(text)) {
            throw new TypeConversionException("the name is not UTF-8: use a link to it, or its parent folder");
        }
    }

    /** Whether a text is what the user gave. */
    public static boolean isDecoded(String text) {
        return text.indexOf(REPLACEMENT) < 0;
    }
}
