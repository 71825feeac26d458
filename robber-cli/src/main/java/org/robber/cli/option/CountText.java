package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers from 1 to a million: as many nodes, runs or requests as anything here takes. */
public final class CountText implements ITypeConverter<Integer> {

    private static final int LARGEST = 1_000_000;

    @Override
    public Integer convert(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count <= LARGEST) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The message below says it.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number from 1 to " + LARGEST);
    }
}
