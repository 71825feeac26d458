package org.robber.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * Sizes of data in experiments: as everywhere ({@code 64K}, {@code 1M}: powers of two), and in the units of publications ({@code
 * 600MB}: powers of ten).
 */
public final class DataSizeText implements ITypeConverter<Long> {

    private static final Pattern DECIMAL = Pattern.compile("(\\d{1,18})([KMGT]?)B");

    @Override
    public Long convert(String text) {
        Matcher decimal = DECIMAL.matcher(text.strip().toUpperCase(Locale.ROOT));
        return decimal.matches() ? SizeText.decimal(text, decimal, 1) : SizeText.parse(text);
    }
}
