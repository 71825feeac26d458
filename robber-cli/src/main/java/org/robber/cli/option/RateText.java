package org.robber.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Rates as people write them, in bytes per second: {@code 500Mbit} are decimal bits per second, {@code 60M} are bytes per second in the
 * units of {@link SizeText}, which are powers of two. Upper and lower case mean the same.
 */
public final class RateText implements ITypeConverter<Long> {

    private static final Pattern BITS = Pattern.compile("(\\d{1,18})([KMGT]?)BIT");
    private static final int BITS_PER_BYTE = 8;

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /**
     * The rate in bytes per second, at least 1.
     *
     * @throws TypeConversionException if it is not a rate, is zero or less than a byte per second, or is beyond the range of a long
     */
    public static long parse(String text) {
        Matcher bits = BITS.matcher(text.strip().toUpperCase(Locale.ROOT));
        long bytesPerSecond = bits.matches() ? SizeText.decimal(text, bits, BITS_PER_BYTE) : bytes(text);
        if (bytesPerSecond == 0) {
            throw new TypeConversionException(
                    "'" + text + "' is less than a byte per second: leave the option out for no limit");
        }
        return bytesPerSecond;
    }

    private static long bytes(String text) {
        if (text.strip().startsWith("-")) {
            throw new TypeConversionException("'" + text + "' is negative: a rate is at least a byte per second");
        }
        if (!SizeText.isSize(text)) {
            throw new TypeConversionException(
                    "'" + text + "' is not a rate: use 500Mbit or 1Gbit for bits per second, 60M for bytes per second");
        }
        return SizeText.parse(text);
    }
}
