package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Factors on the command line. */
public final class FactorText implements ITypeConverter<Double> {

    @Override
    public Double convert(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number, such as 1.5");
        }
    }
}
