package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seeds on the command line: any number that a {@code long} holds. */
public final class SeedText implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number below 2^63, such as 7");
        }
    }
}
