package org.robber.bench.loopback;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 64K}, {@code 256M}, {@code 1G}, in powers of two. */
final class DataSize {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([KMG]?)");
    private static final String UNITS = "KMG";

    private DataSize() {}

    /** Reads a size of at least one byte. */
    static long parse(String text) {
        Matcher matcher = SIZE.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 64K, 256M or 1G");
        }
        long number = Long.parseLong(matcher.group(1));
        int shift = matcher.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(matcher.group(2)) + 1);
        if (number == 0) {
            throw new IllegalArgumentException("nothing to copy: " + text);
        }
        if (number > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("too large: " + text);
        }
        return number << shift;
    }

    /** The shortest exact form. */
    static String format(long bytes) {
        long rest = bytes;
        int unit = 0;
        while (unit < UNITS.length() && rest != 0 && rest % 1024 == 0) {
            rest /= 1024;
            unit++;
        }
        return rest + (unit == 0 ? "" : UNITS.substring(unit - 1, unit));
    }
}
