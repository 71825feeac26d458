package org.robber.cli.option;

import java.time.Duration;
import org.robber.transport.launch.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line. */
public final class DurationText implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    /**
     * A duration above zero.
     *
     * @throws TypeConversionException if it isn't one
     */
    public static Duration parse(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
