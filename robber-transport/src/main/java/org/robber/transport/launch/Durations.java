package org.robber.transport.launch;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1h30m}. */
final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private Durations() {}

    /** Above zero; errors name the variable. */
    static Duration parse(String variable, String text) {
        Matcher matcher = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (end < text.length() && matcher.find(end) && matcher.start() == end) {
            long number = Long.parseLong(matcher.group(1));
            sum = sum.plus(
                    switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofHours(number);
                    });
            end = matcher.end();
        }
        if (end < text.length() || sum.isZero()) {
            throw Variables.usage(variable + "=" + text + " is not a duration above zero, such as 30s or 5m");
        }
        return sum;
    }
}
