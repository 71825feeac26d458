package org.robber.transport.launch;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 90s}, {@code 5m}, {@code 2h}, {@code 1h30m}, {@code 1d}. */
public final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    /** Longer durations could not be counted in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * A duration above zero, of at most 100 years.
     *
     * @throws IllegalArgumentException if it isn't one, in words for people
     */
    public static Duration parse(String text) {
        Matcher matcher = PART.matcher(text.strip().toLowerCase(Locale.ROOT));
        Duration sum = Duration.ZERO;
        int end = 0;
        while (matcher.find(end) && matcher.start() == end) {
            sum = sum.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
            end = matcher.end();
        }
        if (end < text.strip().length() || sum.isZero() || sum.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a duration above zero: use 90s, 5m or 2h");
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
