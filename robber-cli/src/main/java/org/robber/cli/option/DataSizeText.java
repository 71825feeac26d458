package org.robber.cli.option;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Sizes of data in experiments: as everywhere ({@code 64K}, {@code 1M}: powers of two), and in the units of publications ({@code
 * 600MB}: powers of ten).
 */
public final class DataSizeText implements ITypeConverter<Long> {

    private static final Pattern DECIMAL = Pattern.compile("(\\d{1,18})([KMGT]?)B");
    private static final String UNITS = "KMGT";

    @Override
    public Long convert(String text) {
        Matcher decimal = DECIMAL.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!decimal.matches()) {
            return SizeText.parse(text);
        }
        BigInteger bytes = new BigInteger(decimal.group(1));
        if (!decimal.group(2).isEmpty()) {
            bytes = bytes.multiply(BigInteger.valueOf(1000).pow(UNITS.indexOf(decimal.group(2)) + 1));
        }
        if (bytes.bitLength() > 63) {
            throw new TypeConversionException("'" + text + "' is too large");
        }
        return bytes.longValue();
    }
}
