package org.robber.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 90s}, {@code 5m}, {@code 2h}, {@code 500ms}, {@code 1h30m}. */
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    /**
     * A duration above zero.
     *
     * @throws TypeConversionException if it isn't one
     */
    static Duration parse(String text) {
        String rest = text.strip().toLowerCase(Locale.ROOT);
        Duration sum = Duration.ZERO;
        while (!rest.isEmpty()) {
            Matcher matcher = PART.matcher(rest);
            if (!matcher.lookingAt()) {
                throw new TypeConversionException("'" + text + "' is not a duration: use 90s, 5m or 2h");
            }
            sum = sum.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
            rest = rest.substring(matcher.end());
        }
        if (sum.isZero()) {
            throw new TypeConversionException("'" + text + "' is no time at all: use 90s, 5m or 2h");
        }
        return sum;
    }

    private static Duration part(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
