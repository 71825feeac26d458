package org.robber.cli.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.emulation.experiment.Deadline;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** By when a transfer must be done: a duration, or a multiple of the bound such as {@code 3x}. */
public final class DeadlineText implements ITypeConverter<Deadline> {
    private static final Pattern MULTIPLE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)x");
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Deadline convert(String text) {
        Matcher multiple = MULTIPLE.matcher(text);
        if (multiple.matches()) {
            double amount = Double.parseDouble(multiple.group(1));
            if (amount > 0) {
                return new Deadline(amount, true);
            }
        }
        try {
            return new Deadline(DurationText.parse(text).toNanos() / NANOS_PER_SECOND, false);
        } catch (TypeConversionException | ArithmeticException e) {
            throw new TypeConversionException("'" + text
                    + "' is neither a duration above zero, such as 90s, 5m or 2h, nor a multiple of the bound,"
                    + " such as 3x");
        }
    }
}
