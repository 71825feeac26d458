package org.robber.emulation.report;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.experiment.Sample;

/** Figures for people. Unknown values are a dash. */
public final class NumberText {

    private static final String UNKNOWN = "\u2013";

    private NumberText() {}

    /** A share in percent, without the sign: {@code 97.3}. */
    public static String percent(double share) {
        return decimals(100 * share, 1);
    }

    /** A small share in percent, without the sign: {@code 0.123}. */
    public static String finePercent(double share) {
        return decimals(100 * share, 3);
    }

    /** Megabytes of 10^6 bytes, as scenarios count them. */
    public static String megabytes(double bytes) {
        return decimals(bytes / 1e6, 2);
    }

    /** Each in megabytes. */
    public static String megabytesOfAll(List<Double> bytes) {
        return bytes.stream().map(NumberText::megabytes).collect(Collectors.joining(", "));
    }

    /** The mean in megabytes, with its 95 % confidence interval where there is one. */
    public static String megabytes(Sample bytes) {
        return withInterval(bytes, NumberText::megabytes);
    }

    /** With so many digits after the point. */
    public static String decimals(double value, int digits) {
        return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** The mean of shares in percent, with its 95 % confidence interval where there is one: {@code 97.3 ± 0.4}. */
    public static String percent(Sample shares) {
        return withInterval(shares, NumberText::percent);
    }

    /** The mean, with its 95 % confidence interval where there is one. */
    public static String decimals(Sample values, int digits) {
        return withInterval(values, value -> decimals(value, digits));
    }

    private static String withInterval(Sample sample, DoubleFunction<String> text) {
        String mean = text.apply(sample.mean());
        return Double.isNaN(sample.halfWidth95()) ? mean : mean + " \u00b1 " + text.apply(sample.halfWidth95());
    }

    /** A whole number with its thousands apart. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number of stolen pieces, or a dash if this strategy steals none. */
    public static String ifStolen(String strategy, String number) {
        return Strategies.steals(strategy) ? number : UNKNOWN;
    }
}
