package org.robber.cli.option;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes in bytes as people write them: {@code 64K}, {@code 1M}, {@code 4G}; powers of two. */
public final class SizeText implements ITypeConverter<Long> {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([KMGT]?)");
    private static final String UNITS = "KMGT";

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /** Whether the text has the form of a size. */
    public static boolean isSize(String text) {
        return matcher(text).matches();
    }

    private static Matcher matcher(String text) {
        return SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    }

    /**
     * The number of bytes.
     *
     * @throws TypeConversionException if it isn't a size, or is beyond the range of a long
     */
    public static long parse(String text) {
        Matcher matcher = matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size: use 65536, 64K, 1M or 4G");
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        if (number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is too large");
        }
        return number << shift;
    }

    /** A number with a decimal unit, divided; such as {@code 2} and {@code K} for 2000. */
    static long decimal(String text, Matcher matcher, int divisor) {
        String unit = matcher.group(2);
        BigInteger number = new BigInteger(matcher.group(1))
                .multiply(BigInteger.valueOf(1000).pow(unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1))
                .divide(BigInteger.valueOf(divisor));
        if (number.bitLength() >= Long.SIZE) {
            throw new TypeConversionException("'" + text + "' is too large");
        }
        return number.longValue();
    }
}
