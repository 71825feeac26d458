package org.robber.cli.option;

import org.robber.transport.manifest.Manifest;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers from 1 to a million: as many nodes, runs or requests as anything here takes; or to another limit. */
public final class CountText implements ITypeConverter<Integer> {

    private static final int LARGEST = 1_000_000;

    @Override
    public Integer convert(String text) {
        return parse(text, LARGEST);
    }

    private static int parse(String text, int largest) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count <= largest) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The message below says it.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number from 1 to " + largest);
    }

    /** Numbers of files: as many as a tree may have. */
    public static final class OfFiles implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return parse(text, Manifest.MAX_ENTRIES);
        }
    }
}
